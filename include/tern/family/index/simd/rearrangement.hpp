// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rearrangements and resamplings on cores with vector units.
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/simd_kernels.hpp"
#include "tern/family/index/cpu/copy_core.hpp"
#include "tern/family/index/cpu/resample_core.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct rearrangement_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  /// \param concurrency  tasks that may run at a time
  template <class Call>
  static void describe(const Call& call, plan& p, index_t concurrency = 1) {
    const index_t rows = call.rows(), work = rows * call.row_elements();
    if (work >= common::template tuning<typename Call::value_type>.fork_fmas)
      p.split_m = p.units = concurrency < rows ? concurrency : rows;
  }

  /// \param call  rearrangement or resampling; tasks are rows of the result
  template <class Executor, class Call>
  static void run(Executor&& run, const Call& call) {
    if constexpr (common::template runs_on<Executor>()) {
      using T = typename Call::value_type;
      const index_t rows = call.rows();
      index_t tasks = common::template tasks_for<T>(run, rows * call.row_elements());
      if (tasks > rows && rows > 0) tasks = rows;
      const auto task = [&](index_t t) { part(call, rows * t / tasks, rows * (t + 1) / tasks); };
      run(tasks, task);
    }
  }

 private:
  template <class T, class Map, bool Accumulate>
  static void part(const rearrangement<T, Map, Accumulate>& q, index_t first, index_t last) {
    tile::copy_core<T, arch_of<D>, Accumulate>::rows(q, first, last);
  }
  template <class T, resample_pass P, class Axis, bool Accumulate>
  static void part(const resampling<T, P, Axis, Accumulate>& q, index_t first, index_t last) {
    tile::resample_core<lanes<T, arch_of<D>>>::rows(q, first, last);
  }
};

}  // namespace tern::inline TERN_ISA
