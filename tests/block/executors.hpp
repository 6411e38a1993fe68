// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executors and states for tests of inference.
#pragma once

#include "tern/exec/cpu/executor.hpp"
#include "tern/simd.hpp"

namespace tern::test {

/// The host, with a cache so small that few samples fit.
constexpr device small_cache = [] {
  device d = devices::native;
  d.l2_bytes = 16 * 1024;
  return d;
}();
/// Runs all tasks from the last to the first, whatever concurrency it states.
struct backwards {
  index_t tasks;
  index_t concurrency() const { return tasks; }
  void operator()(index_t n, task_ref f) const {
    for (index_t i = n - 1; i >= 0; --i) f(i);
  }
};

}  // namespace tern::test
