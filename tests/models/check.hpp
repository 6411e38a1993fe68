// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the checks of all layers.
#pragma once

#include "tern/simd.hpp"
#include "tests/support/any_executor.hpp"

namespace tern::test {

/// Multiply-adds of one pass of a layer, if its channels allow it: a few milliseconds of `reference` if the factors of
/// a sum are contiguous.
inline constexpr index_t most_products = 1'000'000;

/// Results of a layer that are compared with higher precision.
inline constexpr int samples = 4;

/// Three tasks, one after the other on the calling thread, the last one first.
inline void backwards(void*, index_t n, task_ref f) {
  for (index_t i = n; i-- > 0;) f(i);
}
inline constexpr any_executor executors[] = {{"one task", nullptr, backwards, 1},
                                             {"three tasks", nullptr, backwards, 3}};

}  // namespace tern::test
