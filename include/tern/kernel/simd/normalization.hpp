// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms on cores with vector units.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/kernel/simd/kernels.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"
#include "tern/tile/norm_core.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct normalization_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  /// \param concurrency  tasks that may run at a time
  template <class Call>
  static void describe(const Call& call, plan& p, index_t concurrency = 1) {
    if (work(call.shape) < common::template tuning<typename Call::value_type>.fork_fmas) return;
    p.units = p.split_m = concurrency;
  }

  /// \param call  norm_values or norm_gradient: groups of samples are dealt out
  template <class Executor, class Call>
  static void run(Executor&& run, const Call& call) {
    if constexpr (common::template runs_on<Executor>()) {
      using T = typename Call::value_type;
      const norm_shape& s = call.shape;
      const index_t tasks = common::template tasks_for<T>(run, work(s)), groups = s.sets(Call::steps.batch) * s.groups;
      using core = tile::norm_core<lanes<T, arch_of<D>>, common::template tuning<T>.memory_bytes>;
      const auto task = [&](index_t t) { core::groups(call, groups * t / tasks, groups * (t + 1) / tasks); };
      run(tasks, task);
    }
  }

 private:
  /// In multiply-adds of a matmul.
  static constexpr index_t work(const norm_shape& s) { return s.batch * s.channels * s.positions() * 16; }
};

}  // namespace tern::inline TERN_ISA
