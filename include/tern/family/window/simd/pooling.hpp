// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools on cores with vector units.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/simd_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/window/cpu/pool_parts.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct pooling_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  /// \param concurrency  tasks that may run at a time
  template <class Call>
  static void describe(const Call& call, plan& p, index_t concurrency = 1) {
    using T = typename Call::value_type;
    using parts = tile::pool_parts<lanes<T, arch_of<D>>, common::template tuning<T>.memory_bytes>;
    if (parts::work(call.shape) >= common::template tuning<T>.fork_fmas) p.split_m = p.units = concurrency;
  }

  /// \param call  pool_values or pool_gradient
  /// \param run   runs the tasks of the call
  template <class Executor, class Call>
  static void run(Executor&& run, const Call& call) {
    if constexpr (common::template runs_on<Executor>()) {
      using T = typename Call::value_type;
      using parts = tile::pool_parts<lanes<T, arch_of<D>>, common::template tuning<T>.memory_bytes>;
      const index_t tasks = common::template tasks_for<T>(run, parts::work(call.shape));
      const auto task = [&](index_t t) { parts::run(call, t, tasks); };
      run(tasks, task);
    }
  }
};

}  // namespace tern::inline TERN_ISA
