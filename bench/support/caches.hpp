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

/// As the operating system describes them, nearest first; empty where it does not.
const std::vector<cache>& caches();

}  // namespace tern::bench
