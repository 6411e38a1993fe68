// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/simd.hpp"

namespace tern::test {

/// Every tensor counts as large: it is prefetched, written by non-temporal stores and worked on by all cores.
struct all_in_memory {
  constexpr contraction_tuning operator()(const device& d, int element_bytes) const {
    contraction_tuning t = tuning::automatic{}(d, element_bytes);
    t.memory_bytes = 1, t.fork_fmas = 1;
    return t;
  }
};
using out_of_cache_policy = simd<devices::native, numerics::exact, all_in_memory>;

}  // namespace tern::test
