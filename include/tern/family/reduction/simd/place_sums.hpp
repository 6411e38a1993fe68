// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over samples and positions on cores with vector units.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/simd_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/cpu/place_sums_core.hpp"
#include "tern/family/reduction/cpu/shared_sums.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct place_sums_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  /// \param concurrency  tasks that may run at a time
  template <class T, class F>
  static void describe(const place_sums<T, F>& q, plan& p, index_t concurrency = 1) {
    if (work(q) >= common::template tuning<T>.fork_fmas) p.split_n = p.units = concurrency;
  }

  /// \param run  runs the tasks of the call
  template <class Executor, class T, class F>
  static void run(Executor&& run, const place_sums<T, F>& q) {
    if constexpr (common::template runs_on<Executor>()) {
      using core = tile::place_sums_core<lanes<T, arch_of<D>>>;
      const index_t parts = core::parts(q), tasks = common::template tasks_for<T>(run, work(q));
      if constexpr (!std::is_same_v<std::remove_cvref_t<Executor>, serial>)
        if (q.of.places() == 1 && tile::shared_sums<lanes<T, arch_of<D>>>::pay(q.summed, q.channels, tasks) &&
            work(q) >= worth_several_forks * common::template tuning<T>.fork_fmas)
          return tile::shared_sums<lanes<T, arch_of<D>>>::channels(run, tasks, q, 0, q.channels);
      const auto task = [&](index_t t) { core::run(q, parts * t / tasks, parts * (t + 1) / tasks); };
      run(tasks, task);
    }
  }

 private:
  static constexpr index_t worth_several_forks = 8;  ///< times the work that is worth one

  /// In multiply-adds of a matmul.
  template <class T, class F>
  static index_t work(const place_sums<T, F>& q) {
    return q.elements() * (8 + 2 * F::operations);
  }
};

}  // namespace tern::inline TERN_ISA
