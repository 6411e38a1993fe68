// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools on cores with vector units.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/simd/kernels.hpp"
#include "tern/policy/simd.hpp"
#include "tern/tile/pool_core.hpp"
#include "tern/tile/pool_shares.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct pooling_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  template <class T>
  using vector = lanes<T, arch_of<D>>;

  /// \param call  pool_values or pool_gradient
  /// \param run   runs the tasks of the call
  template <class Executor, class Call>
  static void run(Executor&& run, const Call& call) {
    if constexpr (common::template runs_on<Executor>()) split(run, call);
  }

 private:
  template <class Executor, class T, pool_kind K, bool Indices>
  static void split(Executor& run, const pool_values<T, K, Indices>& q) {
    const pool_shape& s = q.shape;
    each_part<T>(run, s, s.batch * s.axis[0].out * s.axis[1].out,
                 [&](auto... part) { tile::pool_core<vector<T>>::rows(q, far(q), part...); });
  }
  template <class Executor, class T, pool_shares S, bool Accumulate>
  static void split(Executor& run, const pool_gradient<T, S, Accumulate>& q) {
    const pool_shape& s = q.shape;
    each_part<T>(run, s, s.batch * s.axis[0].in * s.axis[1].in,
                 [&](auto... part) { tile::pool_shares_core<vector<T>>::rows(q, far(q), part...); });
  }

  /// Whether the images of a call are so large that they are taken to come from memory.
  template <class Call>
  static bool far(const Call& q) {
    using T = typename Call::value_type;
    const pool_shape& s = q.shape;
    const index_t inputs = s.batch * s.channels * s.axis[0].in * s.axis[1].in * s.axis[2].in;
    return inputs * static_cast<index_t>(sizeof(T)) > common::template tuning<T>.memory_bytes;
  }

  /// Tasks are rows of the result; vectors of its channels, where there are fewer rows than tasks.
  template <class T, class Executor, class F>
  static void each_part(Executor& run, const pool_shape& s, index_t rows, F f) {
    constexpr index_t width = vector<T>::size;
    const index_t tasks = common::template tasks_for<T>(run, s.batch * s.channels * s.positions() * s.taps());
    const index_t vectors = (s.channels + width - 1) / width;
    const auto task = [&](index_t t) {
      if (rows >= tasks) return f(rows * t / tasks, rows * (t + 1) / tasks, index_t(0), s.channels);
      const index_t end = vectors * (t + 1) / tasks * width;
      f(index_t(0), rows, vectors * t / tasks * width, end < s.channels ? end : s.channels);
    };
    run(tasks, task);
  }
};

}  // namespace tern::inline TERN_ISA
