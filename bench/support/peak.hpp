// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The multiply-add peak of the core that runs this, measured: what "share of peak" refers to.
#pragma once

#include <chrono>

#include "tern/device/catalog.hpp"
#include "tern/exec/cpu/lanes.hpp"

namespace tern::bench {

/// float32 operations per second, two per multiply-add, of independent fmas on registers of the native vector unit.
/// Takes about `milliseconds`; the best of a few rounds, because anything else on the machine only slows it down.
inline double measured_peak(double milliseconds = 20) {
  using V = lanes<float, arch_of<devices::native>>;
  constexpr int chains = 12;  // enough for two fmas per cycle of 4 to 5 cycles
  constexpr long steps = 20000;
  using clock = std::chrono::steady_clock;
  double best = 0;
  const auto begin = clock::now();
  do {
    V x[chains];
    for (int i = 0; i < chains; ++i) x[i] = V(static_cast<float>(i));
    volatile float one = 1.0f, zero = 0.0f;  // unknown to the compiler, so that nothing folds
    const V a(one), b(zero);
    const auto start = clock::now();
    for (long s = 0; s < steps; ++s)
      TERN_UNROLL for (int i = 0; i < chains; ++i) x[i] = fma(x[i], a, b);
    const double seconds = std::chrono::duration<double>(clock::now() - start).count();
    for (int i = 0; i < chains; ++i) {
      float sink[V::size];
      x[i].store(sink);
      __asm__ volatile("" ::"m"(sink));
    }
    const double rate = 2.0 * chains * V::size * steps / seconds;
    best = rate > best ? rate : best;
  } while (std::chrono::duration<double>(clock::now() - begin).count() * 1e3 < milliseconds);
  return best;
}

}  // namespace tern::bench
