// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "tern/core/config.hpp"

namespace tern::bench {

/// A cache of the first CPU.
struct cache {
  int level;
  std::string type;  ///< "Data", "Instruction" or "Unified"
  index_t bytes;
};

/// The caches that the operating system reports, nearest first; empty if it reports none.
const std::vector<cache>& caches();

}  // namespace tern::bench
