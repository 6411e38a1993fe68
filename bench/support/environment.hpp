// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace tern::bench {

/// The origin of a table of times, as (name, value) in the order of printing: processor, instruction sets and compiler,
/// versions, threads, clock governor, revision, date.
std::vector<std::pair<std::string, std::string>> environment();

}  // namespace tern::bench
