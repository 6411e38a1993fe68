// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that draw random numbers on cores with vector units.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/simd_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/cpu/drawing_core.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct drawing_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  /// \param concurrency  tasks that may run at a time
  template <class T, class F>
  static void describe(const drawing<T, F>& q, plan& p, index_t concurrency = 1) {
    if (work(q) >= common::template tuning<T>.fork_fmas) p.split_m = p.units = concurrency;
  }

  template <class Executor, class T, class F>
  static void run(Executor&& run, const drawing<T, F>& q) {
    if constexpr (common::template runs_on<Executor>()) {
      using core = tile::drawing_core<lanes<T, arch_of<D>>>;
      const index_t tasks = common::template tasks_for<T>(run, work(q)), rows = q.rows();
      const auto task = [&](index_t t) { core::rows(q, rows * t / tasks, rows * (t + 1) / tasks); };
      run(tasks, task);
    }
  }

 private:
  /// In multiply-adds of a matmul.
  template <class Q>
  static index_t work(const Q& q) {
    return q.elements() * 16;
  }
};

}  // namespace tern::inline TERN_ISA
