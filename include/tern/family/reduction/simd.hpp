// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reductions on cores with vector units.
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/simd_kernels.hpp"
#include "tern/family/kernels.hpp"
#include "tern/family/reduction/cpu/loss_core.hpp"
#include "tern/family/reduction/cpu/norm_core.hpp"
#include "tern/family/reduction/cpu/place_sums_core.hpp"
#include "tern/family/reduction/cpu/row_core.hpp"
#include "tern/family/reduction/cpu/shared_sums.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct row_kernel<simd<D, Numerics, Tuning>> : simd_parts_kernels<tile::row_parts, D, Numerics, Tuning> {};

template <const device& D, class Numerics, class Tuning>
struct loss_kernel<simd<D, Numerics, Tuning>> : simd_parts_kernels<tile::loss_parts, D, Numerics, Tuning> {};

template <const device& D, class Numerics, class Tuning>
struct place_sums_kernel<simd<D, Numerics, Tuning>> : simd_parts_kernels<tile::place_sums_parts, D, Numerics, Tuning> {
  using common = simd_parts_kernels<tile::place_sums_parts, D, Numerics, Tuning>;

  /// \param concurrency  number of concurrent tasks
  template <class Call>
  static void describe(const Call& call, plan& p, index_t concurrency = 1) {
    common::describe(call, p, concurrency);
    std::swap(p.split_m, p.split_n);  // tasks take channels
  }

  /// For long sums of few channels tasks share the chunks of the same channels.
  template <class Executor, class T, class F>
  static void run(Executor&& run, const place_sums<T, F>& q) {
    if constexpr (common::template runs_on<Executor>() && !std::is_same_v<std::remove_cvref_t<Executor>, serial>) {
      using sums = tile::shared_sums<lanes<T, arch_of<D>>>;
      const index_t work = common::template parts<T>::work(q), tasks = common::template tasks_for<T>(run, work);
      if (q.of.places() == 1 && sums::pay(q.summed, q.channels, tasks) &&
          work >= forks_per_split * common::template tuning<T>.fork_fmas)
        return sums::channels(run, tasks, q, 0, q.channels);
    }
    common::run(run, q);
  }

 private:
  static constexpr index_t forks_per_split = 8;  ///< multiples of the work that pays off one fork
};

template <const device& D, class Numerics, class Tuning>
struct normalization_kernel<simd<D, Numerics, Tuning>> : simd_parts_kernels<tile::norm_parts, D, Numerics, Tuning> {
  using common = simd_parts_kernels<tile::norm_parts, D, Numerics, Tuning>;

  /// The samples per pass for two passes over x and dy: a number that keeps the bits of sums over samples, and fits the
  /// second-level caches of the active cores.
  template <class Executor, class Call>
  static index_t samples_in_cache(Executor&& run, const Call& q) {
    using T = typename Call::value_type;
    const norm_shape& s = q.shape;
    const index_t grain = grain_samples(s.positions()), bytes = 2 * s.channels * s.positions() * index_t(sizeof(T)),
                  caches = D.l2_bytes * common::template tasks_for<T>(run, common::template parts<T>::work(s)),
                  fit = caches / bytes / grain * grain;
    return fit >= grain ? fit : grain * bytes <= 4 * caches ? grain : s.batch;
  }

  /// \param call  norm_values or norm_gradient: tasks take groups, or, if there are few samples, groups and then
  ///              positions
  template <class Executor, class Call>
  static void run(Executor&& run, const Call& call) {
    if constexpr (common::template runs_on<Executor>() && !std::is_same_v<std::remove_cvref_t<Executor>, serial> &&
                  !Call::steps.rows) {
      using T = typename Call::value_type;
      using core = typename common::template parts<T>::core;
      const norm_shape& s = call.shape;
      const index_t work = common::template parts<T>::work(s), tasks = common::template tasks_for<T>(run, work);
      if (tasks > s.sets(Call::steps.batch) && s.positions() * s.samples(Call::steps.batch) > 1 &&
          work >= worth_two_steps * common::template tuning<T>.fork_fmas)
        return share<core>(run, tasks, call);
    }
    common::run(run, call);
  }

 private:
  /// Cores that share the channels of a set write to each other's lines of the result; sharing positions costs a second
  /// fork. That is faster from this multiple of the work that pays off one fork.
  static constexpr index_t worth_two_steps = 8;

  /// Sets one after the other, in pieces.
  template <class Core, class Executor, class Call>
  static void share(Executor& run, index_t tasks, const Call& call) {
    const norm_shape& s = call.shape;
    const index_t members = s.group_channels(), at_once = members < Core::piece ? Core::piece / members : 1;
    const auto in_two_steps = [&](auto&& piece) {
      const auto find = [&](index_t t) { piece.find(t, tasks); };
      const auto use = [&](index_t t) { piece.use(t, tasks); };
      if (piece.shares_positions(s, tasks))
        piece.find_shared(run, tasks);
      else
        run(tasks, find);
      run(tasks, use);
    };
    for (index_t set = 0; set < s.sets(Call::steps.batch); ++set)
      for (index_t g = 0, count; g < s.groups; g += count) {
        count = s.groups - g < at_once ? s.groups - g : at_once;
        if (Call::steps.batch || count * members <= Core::piece)
          in_two_steps(typename Core::template shared_groups<Call, true>(call, set, g, count));
        else if constexpr (!Call::steps.batch)
          in_two_steps(typename Core::template shared_groups<Call, false>(call, set, g, count));
      }
  }
};

}  // namespace tern::inline TERN_ISA

#if defined(TERN_COMPILED)
#include "tern/family/reduction/simd/compiled.hpp"
#include "tern/family/reduction/simd/compiled_norms.hpp"
#include "tern/family/reduction/simd/compiled_sums.hpp"
#endif
