// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax on cores with vector units.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/simd_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/cpu/softmax_core.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct softmax_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  /// \param concurrency  tasks that may run at a time
  template <class Call>
  static void describe(const Call& call, plan& p, index_t concurrency = 1) {
    using T = typename Call::value_type;
    if (work(call.shape) >= common::template tuning<T>.fork_fmas) p.split_m = p.units = concurrency;
  }

  /// \param call  softmax_values or softmax_gradient
  template <class Executor, class Call>
  static void run(Executor&& run, const Call& call) {
    if constexpr (common::template runs_on<Executor>()) {
      using T = typename Call::value_type;
      using core = tile::softmax_core<lanes<T, arch_of<D>>, common::template tuning<T>.memory_bytes>;
      const index_t tasks = common::template tasks_for<T>(run, work(call.shape)), rows = call.shape.rows();
      const auto task = [&](index_t t) { core::rows(call, rows * t / tasks, rows * (t + 1) / tasks); };
      run(tasks, task);
    }
  }

 private:
  /// In multiply-adds of a matmul.
  static constexpr index_t work(const softmax_shape& s) { return s.rows() * s.features * 24; }
};

}  // namespace tern::inline TERN_ISA
