// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The measured multiply-add peak of the core that runs this, to which "share of peak" refers.
#pragma once

#include <chrono>

#include "tern/device/catalog.hpp"
#include "tern/exec/cpu/lanes.hpp"

namespace tern::bench::inline TERN_ISA {

/// Independent fmas on registers of the native vector unit, twelve in flight: enough for two fmas per cycle of 4 to 5
/// cycles. Returns the operations done, two per multiply-add.
template <class T>
__attribute__((noinline)) double multiply_add(long steps) {
  using V = lanes<T, arch_of<devices::native>>;
  constexpr int chains = 12;
  V x[chains];
  for (int i = 0; i < chains; ++i) x[i] = V(static_cast<T>(i));
  volatile T one = 1, zero = 0;  // unknown to the compiler, so that nothing folds
  const V a(one), b(zero);
  for (long s = 0; s < steps; ++s) TERN_UNROLL
  for (int i = 0; i < chains; ++i) x[i] = fma(x[i], a, b);
  for (int i = 0; i < chains; ++i) {
    T sink[V::size];
    x[i].store(sink);
    __asm__ volatile("" ::"m"(sink));
  }
  return 2.0 * chains * V::size * static_cast<double>(steps);
}

/// float32 operations per second of multiply_add. Takes about `milliseconds`; the best of a few rounds, because
/// anything else on the machine only slows it down.
inline double measured_peak(double milliseconds = 20) {
  using clock = std::chrono::steady_clock;
  double best = 0;
  const auto begin = clock::now();
  do {
    const auto start = clock::now();
    const double work = multiply_add<float>(20000);
    const double rate = work / std::chrono::duration<double>(clock::now() - start).count();
    best = rate > best ? rate : best;
  } while (std::chrono::duration<double>(clock::now() - begin).count() * 1e3 < milliseconds);
  return best;
}

}  // namespace tern::bench::inline TERN_ISA
