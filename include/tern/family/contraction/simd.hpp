// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contractions on cores with vector units.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/dtype.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/core/workspace.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/simd_kernels.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/contraction_core.hpp"
#include "tern/family/contraction/cpu/conv_parts.hpp"
#include "tern/family/contraction/cpu/short_product.hpp"
#include "tern/family/contraction/cpu/winograd.hpp"
#include "tern/family/kernels.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct contraction_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;
  template <class T>
  static constexpr contraction_tuning tuning = common::template tuning<T>;
  template <class T>
  using vector = lanes<T, arch_of<D>>;
  template <class T>
  using core = tile::contraction_core<vector<T>, D.vector_registers, tuning<T>>;
  template <class T>
  static constexpr index_t panel_columns = core<T>::macro_kernel::panel_columns;

  template <class T>
  static constexpr index_t packed_size(index_t k, index_t n) {
    return core<T>::packed_size(k, n);
  }
  template <class T>
  static void pack(const operand<const T>& b, index_t k, index_t n, T* to) {
    core<T>::pack(b, k, n, to);
  }

  /// The plan of a call of these sizes with `concurrency` concurrent tasks. On one thread, calls of static shape up to
  /// tile::small_fmas multiply-adds are unrolled instead.
  template <class T>
  static constexpr plan plan_for(index_t m, index_t n, index_t k, index_t batch = 1, index_t concurrency = 1) {
    constexpr contraction_tuning t = tuning<T>;
    constexpr index_t bytes = sizeof(T);
    plan p{.op = "contraction",
           .execution = model::simd,
           .device = D.name,
           .element = dtype<T>::name,
           .numerics = Numerics::name,
           .m = m,
           .n = n,
           .k = k,
           .batch = batch};
    if (concurrency > 1 && m * n * k * batch >= t.fork_fmas) {
      p.units = concurrency;
      if (batch < concurrency) {
        const grid g = grid_of(m, n, concurrency, panel_columns<T>);
        p.split_m = g.rows, p.split_n = g.columns, p.units = g.rows * g.columns;
      }
    }
    const index_t rows = (m + p.split_m - 1) / p.split_m;
    p.tile_m = t.rows, p.tile_n = panel_columns<T>;
    p.block_m = rows, p.block_n = core<T>::block_columns(rows, n), p.block_k = k < tile::slab_k ? k : tile::slab_k;
    p.steps_n = p.block_n > 0 ? (n + p.block_n - 1) / p.block_n : 1;
    p.steps_k = (k + tile::slab_k - 1) / tile::slab_k;
    p.workspace_bytes = p.units * core<T>::memory_bytes(rows, n);
    p.packed_bytes = packed_size<T>(k, n) * bytes;
    p.bytes_moved = batch * (m * k + k * n + m * n) * bytes;
    p.bytes_per_unit = p.block_k * p.block_n * bytes;
    p.flops = contraction_flops(m, n, k, batch);
    if (D.fma_per_cycle > 0) p.cycles = p.flops / 2 / D.fma_per_cycle / static_cast<double>(p.units);
    return p;
  }

  template <class T>
  using short_product = tile::short_product<vector<T>, D.vector_registers, panel_columns<T>>;
  /// The function for a prepared short call of run-time sizes; null if there is none.
  template <class Executor, class T, epilogue E, contraction_shape S>
  static auto function_for(Executor& run, const contraction<T, E, S>& q) -> void (*)() {
    if constexpr (!tile::is_small(S))
      if (!forks(run, q)) return reinterpret_cast<void (*)()>(short_product<T>::function_for(q));
    return nullptr;
  }
  template <class T, epilogue E, contraction_shape S>
  TERN_INLINE static void run_function(void (*f)(), const contraction<T, E, S>& q) {
    short_product<T>::run(reinterpret_cast<typename short_product<T>::function>(f), q);
  }

  /// \param run  runs the tasks of the call: parts of the batch, or rectangles of c; sums are never split
  template <class Executor, class T, epilogue E, contraction_shape S>
  static void run(Executor&& run, const contraction<T, E, S>& q, workspace memory = {}) {
    if constexpr (common::template runs_on<Executor>()) dispatch(run, q, memory);
  }

 private:
  /// Unrolls small static shapes, runs short calls at once, and splits the rest. Inline, so that the operands of a
  /// short call stay in registers.
  template <class Executor, class T, epilogue E, contraction_shape S>
  TERN_INLINE static void dispatch(Executor& run, const contraction<T, E, S>& q, workspace memory) {
    if constexpr (tile::is_small(S)) {
      if (!forks(run, q)) return core<T>::items(q, 0, q.batch);
      if (q.batch >= run.concurrency()) {
        const auto items = [&, tasks = run.concurrency()](index_t task) {
          core<T>::items(q, q.batch * task / tasks, q.batch * (task + 1) / tasks);
        };
        return run(run.concurrency(), items);
      }
    }
    if constexpr (links_compiled_part) {
      if constexpr (S.b == weights::strided)
        if (q.c.column != 1 && q.c.row == 1) return split(run, q.transposed().opened(store<T, E>()), memory);
      split(run, q.opened(store<T, E>()), memory);
    } else {
      if (!forks(run, q)) {
        check_workspace<core<T>>(q, memory, 1);
        if (core<T>::short_items(q, 0, q.batch)) return;
      }
      if constexpr (S.b == weights::strided)
        if (q.c.column != 1 && q.c.row == 1) return split(run, q.transposed(), memory);
      split(run, q.erased(), memory);
    }
  }
  /// The function for an epilogue unknown to the kernels.
  template <class T, epilogue E>
  static constexpr auto store() {
    return E.empty() ? nullptr : &tile::store_totals<E, vector<T>, T>;
  }

  /// True if a call is long enough to pay for waking other threads.
  template <class Executor, class Q>
  TERN_INLINE static bool forks(Executor& run, const Q& q) {
    return common::template tasks_for<typename Q::value_type>(run, q.m * q.n * q.k * q.batch) > 1;
  }

  /// Splits a call into as many tasks as the executor runs concurrently: items of the batch first, then columns, so
  /// that every thread reads weights of its own, then rows.
  template <class Executor, class T, epilogue E, contraction_shape S>
  __attribute__((noinline)) static void split(Executor& run, const contraction<T, E, S>& q, workspace memory) {
    if (q.m == 0 || q.n == 0) return;
    if (q.k == 0) return core<T>::without_sum(q);
    if (!forks(run, q)) {
      check_workspace<core<T>>(q, memory, 1);
      return core<T>::batch(q, 0, q.batch, memory);
    }
    constexpr index_t width = panel_columns<T>;
    const index_t tasks = run.concurrency(), panels = (q.n + width - 1) / width;
    if (q.batch >= tasks) {
      check_workspace<core<T>>(q, memory, tasks);
      const auto items = [&](index_t task) {
        core<T>::batch(q, q.batch * task / tasks, q.batch * (task + 1) / tasks, common::share(memory, task, tasks));
      };
      return run(tasks, items);
    }
    const grid g = grid_of(q.m, q.n, tasks, width);
    check_workspace<core<T>>(q, memory, g.rows * g.columns);
    const auto part = [&](index_t task) {
      const index_t i = task / g.columns, j = task % g.columns;
      const index_t j0 = panels * j / g.columns * width, j1 = panels * (j + 1) / g.columns * width;
      for (index_t item = 0; item < q.batch; ++item)
        core<T>::rectangle(q, item, q.m * i / g.rows, q.m * (i + 1) / g.rows, j0, j1 < q.n ? j1 : q.n,
                           common::share(memory, task, g.rows * g.columns));
    };
    run(g.rows * g.columns, part);
  }

  /// An unused workspace is a mistake of the caller.
  template <class Core, class Q>
  TERN_INLINE static void check_workspace(const Q&, workspace memory, index_t tasks) {
    if (Q::shape.b != weights::packed && memory.bytes != 0)
      common::template check_workspace<typename Q::value_type>(memory, tasks, Core::least_memory_bytes);
  }

  /// Numbers of tasks along m and along n.
  struct grid {
    index_t rows, columns;
  };
  /// The grid of at most `tasks` tasks with the smallest largest task; ties prefer columns.
  static constexpr grid grid_of(index_t m, index_t n, index_t tasks, index_t panel_columns) {
    const index_t panels = (n + panel_columns - 1) / panel_columns;
    index_t columns = 1, least = m * panels;
    for (index_t c = 1; c <= tasks; ++c) {
      const index_t largest = ((panels + c - 1) / c) * ((m + tasks / c - 1) / (tasks / c));
      if (largest <= least) columns = c, least = largest;
    }
    return {tasks / columns, columns};
  }
};

template <const device& D, class Numerics, class Tuning>
struct convolution_kernel<simd<D, Numerics, Tuning>> : simd_kernels<D, Numerics, Tuning> {
  using common = simd_kernels<D, Numerics, Tuning>;

  template <class T>
  using parts = tile::conv_parts<lanes<T, arch_of<D>>, common::template tuning<T>, D.l2_bytes>;
  /// The conv_parts of a call, with only the kernels that it needs.
  template <class T, class Call>
  using parts_of = tile::conv_parts<lanes<T, arch_of<D>>, common::template tuning<T>, D.l2_bytes,
                                    is_compiled_apart<Call> ? compiled_paths : Call::paths>;

  /// The kernel of relaxed calls with packed weights and a workspace, if it suits them.
  template <class T>
  using winograd = tile::winograd_core<lanes<T, arch_of<D>>, common::template tuning<T>>;
  static constexpr bool is_relaxed = std::is_same_v<Numerics, numerics::relaxed>;

  /// Elements of weights packed for a pass: in panels of its results. Relaxed forward passes add the transformed
  /// weights.
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

  /// The plan of a call with `concurrency` concurrent tasks.
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

  /// Workspace in bytes per thread for a relaxed forward pass with packed weights, for any batch.
  template <class T>
  static constexpr index_t thread_workspace(conv_shape s)
    requires is_relaxed
  {
    s.batch = 1 << 20;
    return winograd<T>::pays(s) ? workspace_share<T>(s, winograd<T>::best_block(s, 1, D.l2_bytes)) : 0;
  }
  /// The workspace if it suffices for every task of a forward pass, else none.
  template <class T, class Executor>
  static workspace sufficient(Executor& run, const conv_shape& s, workspace memory)
    requires is_relaxed
  {
    const index_t tasks = common::template tasks_for<T>(run, multiply_adds(s));
    return memory.bytes / tasks < workspace_share<T>(s, winograd<T>::least_block) ? workspace{} : memory;
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
      const auto& q = as_compiled(call);
      const auto task = [&](index_t t) { parts_of<T, Call>::run(q, t, tasks); };
      run(tasks, task);
    }
  }

 private:
  /// The call's type in the compiled part, if that is linked.
  template <class Call>
  static decltype(auto) as_compiled(const Call& call) {
    using T = typename Call::value_type;
    if constexpr (!is_compiled_apart<Call>)
      return (call);
    else if constexpr (requires { Call::after; })
      return call.opened(Call::after.empty() ? nullptr : &tile::store_totals<Call::after, lanes<T, arch_of<D>>, T>);
    else
      return static_cast<const conv_gradient<T, Call::accumulate>&>(call);
  }
  static constexpr bool has_transformed(conv_pass p) { return is_relaxed && p == conv_pass::forward; }

  /// Bytes of a task's block of tiles, rounded up to a cache line.
  template <class T>
  static constexpr index_t workspace_share(const conv_shape& s, index_t block) {
    return (winograd<T>::bytes_for(s, block) + 63) / 64 * 64;
  }
  /// Runs a forward pass, with any kernels; returns whether it ran.
  template <class Executor, class T, epilogue E>
  static bool run_winograd(Executor& run, const conv_sums<T, conv_pass::forward, E>& q, workspace memory) {
    using core = winograd<T>;
    if (!q.w.transformed || !core::pays(q.shape) || !core::has_whole_vectors(q)) return false;
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

#if defined(TERN_COMPILED)
#include "tern/family/contraction/simd/compiled.hpp"
#endif
