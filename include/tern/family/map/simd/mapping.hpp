// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps on cores with vector units.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/simd_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/map/cpu/map_core.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct mapping_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  /// \param concurrency  tasks that may run at a time
  template <class T, class F>
  static void describe(const mapping<T, F>& q, plan& p, index_t concurrency = 1) {
    if (work(q) >= common::template tuning<T>.fork_fmas) p.split_m = p.units = concurrency;
  }

  /// \param run  runs the tasks of the call
  template <class Executor, class T, class F>
  static void run(Executor&& run, const mapping<T, F>& q) {
    if constexpr (common::template runs_on<Executor>()) {
      using core = tile::map_core<lanes<T, arch_of<D>>, common::template tuning<T>.memory_bytes>;
      const index_t tasks = common::template tasks_for<T>(run, work(q));
      const auto task = [&](index_t t) { core::run(q, t, tasks); };
      run(tasks, task);
    }
  }

 private:
  /// In multiply-adds of a matmul, of which a core does many in the time that an element takes from one cache to
  /// another.
  template <class T, class F>
  static index_t work(const mapping<T, F>& q) {
    return q.elements() * (8 + 4 * F::operations);
  }
};

}  // namespace tern::inline TERN_ISA
