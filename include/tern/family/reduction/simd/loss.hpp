// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses on cores with vector units: samples and rows are dealt out.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/simd_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/cpu/loss_core.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct loss_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  /// \param concurrency  tasks that may run at a time
  template <class Call>
  static void describe(const Call& call, plan& p, index_t concurrency = 1) {
    using T = typename Call::value_type;
    if (call.parts() * call.part_work() >= common::template tuning<T>.fork_fmas) p.split_m = p.units = concurrency;
  }

  /// \param call  element_sums, cross_entropy_values or cross_entropy_gradient
  template <class Executor, class Call>
  static void run(Executor&& run, const Call& call) {
    if constexpr (common::template runs_on<Executor>()) {
      using T = typename Call::value_type;
      using core = tile::loss_core<lanes<T, arch_of<D>>>;
      const index_t parts = call.parts(), tasks = common::template tasks_for<T>(run, parts * call.part_work());
      const auto task = [&](index_t t) { core::part(call, parts * t / tasks, parts * (t + 1) / tasks); };
      run(tasks, task);
    }
  }
};

}  // namespace tern::inline TERN_ISA
