// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions on cores with vector units.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/workspace.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/simd_kernels.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/conv_parts.hpp"
#include "tern/family/contraction/cpu/winograd.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct convolution_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  template <class T>
  using parts = tile::conv_parts<lanes<T, arch_of<D>>, common::template tuning<T>, D.l2_bytes>;
  /// The same with what a call needs.
  template <class T, class Call>
  using parts_of = tile::conv_parts<lanes<T, arch_of<D>>, common::template tuning<T>, D.l2_bytes, Call::paths>;

  /// Where relaxed calls with packed weights and a workspace go, if they can.
  template <class T>
  using winograd = tile::winograd_core<lanes<T, arch_of<D>>, common::template tuning<T>>;
  static constexpr bool is_relaxed = std::is_same_v<Numerics, numerics::relaxed>;

  /// Weights packed for a pass: in panels of its results. Relaxed ones for forward passes are there transformed, too.
  template <class T>
  static constexpr index_t packed_size(const conv_shape& s, conv_pass p = conv_pass::forward) {
    return parts<T>::packed_size(s, p) + (has_transformed(p) ? winograd<T>::packed_size(s) : 0);
  }
  template <class T>
  static filters<const T> packed(const T* from, const conv_shape& s, conv_pass p = conv_pass::forward) {
    filters<const T> w = parts<T>::packed(from, s, p);
    if (has_transformed(p) && winograd<T>::suits(s)) {
      w.transformed = from + parts<T>::packed_size(s, p);
      w.transformed_size = winograd<T>::packed_size(s);
    }
    return w;
  }
  template <class T>
  static void pack(const conv_shape& s, const filters<const T>& w, T* to, conv_pass p = conv_pass::forward) {
    parts<T>::pack(s, w, to, p);
    if constexpr (is_relaxed)
      if (has_transformed(p) && winograd<T>::suits(s)) winograd<T>::pack(s, w, to + parts<T>::packed_size(s, p));
  }

  /// What a call will do when `concurrency` tasks may run at a time.
  template <class T>
  static constexpr plan plan_for(conv_work work, const conv_shape& s, epilogue = {}, index_t concurrency = 1) {
    using core = typename parts<T>::core;
    plan p = conv_plan_of<T>(work, s, model::simd, D.name, Numerics::name, packed_size<T>(s, packed_for(work)));
    if (concurrency > 1 && multiply_adds(s) >= common::template tuning<T>.fork_fmas) p.units = concurrency;
    const index_t results = work == conv_work::data ? s.in : s.out, panels = parts<T>::panels_of(results);
    const index_t row = work == conv_work::weights ? 1 : work == conv_work::data ? s.axis[2].in : s.axis[2].out;
    const bool panels_apart = work == conv_work::weights
                                  ? panels >= p.units && s.groups * s.taps() % p.units != 0
                                  : parts<T>::by_panels(s, row > 0 ? p.m / row : 0, panels, p.units);
    (panels_apart && !parts<T>::depthwise::is_one(s) ? p.split_n : p.split_m) = p.units;
    p.tile_m = common::template tuning<T>.rows, p.tile_n = core::width;
    if constexpr (is_relaxed)
      if (work == conv_work::forward && winograd<T>::pays(s))
        p.workspace_bytes = p.units * workspace_share<T>(s, winograd<T>::best_block(s, p.units, D.l2_bytes));
    if (D.fma_per_cycle > 0) p.cycles = p.flops / 2 / D.fma_per_cycle / static_cast<double>(p.units);
    return p;
  }

  /// \param call    conv_sums or conv_gradient
  /// \param run     runs the tasks of the call; sums are never split
  /// \param memory  for forward passes of relaxed numerics
  template <class Executor, class Call>
  static void run(Executor&& run, const Call& call, [[maybe_unused]] workspace memory = {}) {
    if constexpr (common::template runs_on<Executor>()) {
      using T = typename Call::value_type;
      if constexpr (is_relaxed && requires { run_winograd(run, call, memory); })
        if (memory.bytes != 0 && run_winograd(run, call, memory)) return;
      const index_t tasks = common::template tasks_for<T>(run, multiply_adds(call.shape));
      const auto task = [&](index_t t) { parts_of<T, Call>::run(call, t, tasks); };
      run(tasks, task);
    }
  }

 private:
  static constexpr bool has_transformed(conv_pass p) { return is_relaxed && p == conv_pass::forward; }

  /// Bytes of a task for so many tiles, up to the next cache line.
  template <class T>
  static constexpr index_t workspace_share(const conv_shape& s, index_t block) {
    return (winograd<T>::bytes_for(s, block) + 63) / 64 * 64;
  }
  /// Forward passes, with any paths. Whether the call ran.
  template <class Executor, class T, epilogue E>
  static bool run_winograd(Executor& run, const conv_sums<T, conv_pass::forward, E>& q, workspace memory) {
    using core = winograd<T>;
    if (!q.w.transformed || !core::pays(q.shape) || !core::lies_well(q)) return false;
    const index_t tasks = common::template tasks_for<T>(run, multiply_adds(q.shape)), tiles = core::tiles_of(q.shape);
    common::template check_workspace<T>(memory, tasks, core::bytes_for(q.shape, core::least_block));
    const auto task = [&](index_t t) {
      const workspace mine = common::share(memory, t, tasks);
      core::run(q, tiles * t / tasks, tiles * (t + 1) / tasks, static_cast<T*>(mine.data), mine.bytes);
    };
    run(tasks, task);
    return true;
  }
};

}  // namespace tern::inline TERN_ISA
