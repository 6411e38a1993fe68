// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tern::bench {

/// What a table of times has to say about where they come from, as (name, value) in the order of printing: processor,
/// what is compiled for which instructions by which compiler, versions, threads, clock governor, revision, date.
std::vector<std::pair<std::string, std::string>> environment();

}  // namespace tern::bench
