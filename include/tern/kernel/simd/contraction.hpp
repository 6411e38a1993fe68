// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contraction family on cores with vector units.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/exec/cpu/executor.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/transpose.hpp"
#include "tern/kernel/arguments.hpp"
#include "tern/kernel/kernel.hpp"
#include "tern/policy/plan.hpp"
#include "tern/policy/simd.hpp"
#include "tern/tile/block.hpp"
#include "tern/tile/contraction.hpp"
#include "tern/tile/epilogue.hpp"
#include "tern/tile/small.hpp"

namespace tern::inline TERN_ISA {

template <const device& D, class Numerics, class Tuning>
struct contraction_kernel<simd<D, Numerics, Tuning>> {
  static_assert(!std::is_void_v<arch_of<D>>,
                "simd: this file is not compiled for the device's instructions: raise -march, choose another device, "
                "or build it per ISA with tern_add_isas");
  static_assert(!std::is_same_v<Numerics, numerics::exact> || has_fma(D.instructions),
                "simd: exact numerics need fma, which this device has not: compile with -march=x86-64-v3, use "
                "tern::numerics::relaxed, or build per ISA with tern_add_isas");

  /// Calls run on the calling thread unless an executor is given.
  using context = serial;

  template <class T>
  static constexpr contraction_tuning tuning = Tuning{}(D, sizeof(T));
  template <class T>
  using vector = lanes<T, arch_of<D>>;
  template <class T>
  using block = tile::block<vector<T>, tuning<T>.rows, tuning<T>.vectors>;

  /// Elements of packed weights: whole panels.
  template <class T>
  static constexpr index_t packed_size(index_t k, index_t n) {
    return tile::whole_panels(n, block<T>::panel_columns) * k;
  }
  template <class T>
  static void pack(const operand<const T>& b, index_t k, index_t n, T* to) {
    constexpr index_t columns = block<T>::panel_columns;
    for (index_t k0 = 0; k0 < k; k0 += tile::slab_k) {
      const index_t steps = k - k0 < tile::slab_k ? k - k0 : tile::slab_k;
      tile::pack_slab<vector<T>>(b.shifted(k0, 0), steps, n, columns, to + k0 * tile::whole_panels(n, columns));
    }
  }

  /// What a call of these sizes will do when `concurrency` tasks may run at a time. Calls of static shape up to
  /// tile::small_fmas multiply-adds are unrolled instead where one thread runs them.
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
        const grid g = grid_of(m, n, concurrency, block<T>::panel_columns);
        p.split_m = g.rows, p.split_n = g.columns, p.units = g.rows * g.columns;
      }
    }
    const index_t rows = (m + p.split_m - 1) / p.split_m, tiles = (rows + t.rows - 1) / t.rows;
    p.tile_m = t.rows, p.tile_n = block<T>::panel_columns;
    p.block_m = rows, p.block_k = k < tile::slab_k ? k : tile::slab_k;
    p.block_n = tiles == 1 ? n : tiles < t.many_tiles ? t.block_columns : t.long_block_columns;
    if (p.block_n > n) p.block_n = n;
    p.steps_n = p.block_n > 0 ? (n + p.block_n - 1) / p.block_n : 1;
    p.steps_k = (k + tile::slab_k - 1) / tile::slab_k;
    const index_t arranged = p.block_n < t.long_block_columns ? p.block_n : t.long_block_columns;
    p.workspace_bytes = p.units * tile::slab_k * tile::whole_panels(arranged, block<T>::panel_columns) * bytes;
    p.packed_bytes = packed_size<T>(k, n) * bytes;
    p.bytes_moved = batch * (m * k + k * n + m * n) * bytes;
    p.bytes_per_unit = p.block_k * p.block_n * bytes;
    p.flops = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) * static_cast<double>(batch);
    if (D.fma_per_cycle > 0) p.cycles = p.flops / 2 / D.fma_per_cycle / static_cast<double>(p.units);
    return p;
  }

  /// \param run  runs the tasks of the call: parts of the batch, or rectangles of c; sums are never split
  template <executor Executor, class T, epilogue E, contraction_shape S>
  static void run(Executor&& run, const contraction<T, E, S>& q, workspace memory) {
    if constexpr (tile::is_small(S)) {
      if (!forks(run, q)) return run_small(q, 0, q.batch);
      if (q.batch >= run.concurrency()) {
        const auto items = [&, tasks = run.concurrency()](index_t task) {
          run_small(q, q.batch * task / tasks, q.batch * (task + 1) / tasks);
        };
        return run(run.concurrency(), items);
      }
    }
    if constexpr (S.b == weights::strided)
      if (q.c.column != 1 && q.c.row == 1) return split(run, q.transposed(), memory);
    split(run, q.erased(), memory);
  }

 private:
  /// Whether a call is worth waking other threads.
  template <class Executor, class Q>
  TERN_INLINE static bool forks(Executor& run, const Q& q) {
    if constexpr (std::is_same_v<std::remove_cvref_t<Executor>, serial>)
      return false;
    else
      return run.concurrency() > 1 && q.m * q.n * q.k * q.batch >= tuning<typename Q::value_type>.fork_fmas;
  }

  /// Items [first, last) of a batch of a small static shape.
  template <class T, epilogue E, contraction_shape S>
  TERN_INLINE static void run_small(const contraction<T, E, S>& q, index_t first, index_t last) {
    using small = tile::small<vector<T>, D.vector_registers, block<T>::panel_columns, E, S>;
    const auto b = [&](index_t i) { return S.b == weights::packed ? q.packed : q.b.item(i).p; };
    const bool far = from_memory(q);
    for (index_t i = first; i < last; ++i)
      small::multiply(q.a.item(i).p, b(i), q.c.item(i), q.bias.item(i), q.residual.item(i),
                      far && i + 1 < last ? tile::next_item<T>{q.a.item(i + 1).p, b(i + 1)} : tile::next_item<T>{});
  }

  /// Whether the operands of a batch are so many that they are taken to come from memory rather than from a cache.
  template <class Q>
  TERN_INLINE static bool from_memory(const Q& q) {
    using T = typename Q::value_type;
    if (q.batch == 1) return false;
    return q.batch * (q.m * q.k + q.k * q.n + q.m * q.n) * static_cast<index_t>(sizeof(T)) > tuning<T>.memory_bytes;
  }

  /// Splits a call into as many tasks as the executor runs at a time: items of the batch first, then columns, so that
  /// every thread reads weights of its own, then rows.
  template <class Executor, class T, epilogue E, contraction_shape S>
  static void split(Executor& run, const contraction<T, E, S>& q, workspace memory) {
    if (q.m == 0 || q.n == 0) return;
    if (q.k == 0) return without_sum(q);
    if (!forks(run, q)) {
      for (index_t item = 0; item < q.batch; ++item) rectangle(q, item, 0, q.m, 0, q.n, memory);
      return;
    }
    constexpr index_t width = block<T>::panel_columns;
    const index_t tasks = run.concurrency(), panels = (q.n + width - 1) / width;
    if (q.batch >= tasks) {
      const auto items = [&](index_t task) {
        const workspace part = share(memory, task, tasks);
        for (index_t item = q.batch * task / tasks; item < q.batch * (task + 1) / tasks; ++item)
          rectangle(q, item, 0, q.m, 0, q.n, part);
      };
      return run(tasks, items);
    }
    const grid g = grid_of(q.m, q.n, tasks, width);
    const auto part = [&](index_t task) {
      const index_t i = task / g.columns, j = task % g.columns;
      const index_t j0 = panels * j / g.columns * width, j1 = panels * (j + 1) / g.columns * width;
      for (index_t item = 0; item < q.batch; ++item)
        rectangle(q, item, q.m * i / g.rows, q.m * (i + 1) / g.rows, j0, j1 < q.n ? j1 : q.n,
                  share(memory, task, g.rows * g.columns));
    };
    run(g.rows * g.columns, part);
  }

  /// Tasks side by side along m and along n.
  struct grid {
    index_t rows, columns;
  };
  /// The grid of at most `tasks` tasks whose largest task is the smallest; with many columns where several are.
  static constexpr grid grid_of(index_t m, index_t n, index_t tasks, index_t panel_columns) {
    const index_t panels = (n + panel_columns - 1) / panel_columns;
    index_t columns = 1, least = m * panels;
    for (index_t c = 1; c <= tasks; ++c) {
      const index_t largest = ((panels + c - 1) / c) * ((m + tasks / c - 1) / (tasks / c));
      if (largest <= least) columns = c, least = largest;
    }
    return {tasks / columns, columns};
  }

  /// The part of the caller's workspace that a task may use, cut at cache lines.
  static workspace share(workspace memory, index_t task, index_t tasks) {
    const index_t bytes = memory.bytes / tasks / 64 * 64;
    return {static_cast<char*>(memory.data) + task * bytes, bytes};
  }

  /// k = 0: the epilogue of zero, or of what c holds.
  template <class T, epilogue E, contraction_shape S>
  static void without_sum(const contraction<T, E, S>& q) {
    using V = lanes<T, scalar_arch>;
    for (index_t item = 0; item < q.batch; ++item) {
      const auto bias = q.bias.item(item), residual = q.residual.item(item);
      const auto c = q.c.item(item);
      for (index_t i = 0; i < q.m; ++i)
        for (index_t j = 0; j < q.n; ++j) {
          const T total = E.accumulate ? *c.at(i, j) : T(0);
          tile::store_totals<E, V>(&total, 0, 1, 1, c.shifted(i, j), bias.shifted(i, j), residual.shifted(i, j));
        }
    }
  }

  /// Rows [i0, i1) and columns [j0, j1) of one item; j0 is the first column of a panel.
  template <class T, epilogue E, contraction_shape S>
  static void rectangle(const contraction<T, E, S>& q, index_t item, index_t i0, index_t i1, index_t j0, index_t j1,
                        workspace memory) {
    constexpr index_t width = block<T>::panel_columns;
    constexpr contraction_tuning t = tuning<T>;
    const auto a = q.a.item(item).shifted(i0, 0);
    const index_t m = i1 - i0, tiles = (m + t.rows - 1) / t.rows;
    const auto output = [&](index_t j, bool add, bool last) {
      return tile::block_output<T>{q.c.item(item).shifted(i0, j), q.bias.item(item).shifted(i0, j),
                                   q.residual.item(item).shifted(i0, j), add || E.accumulate, last};
    };
    if constexpr (S.b == weights::packed) {
      const index_t block_columns = tiles == 1 ? j1 - j0 : tiles < t.many_tiles ? t.block_columns : t.long_block_columns;
      for (index_t j = j0; j < j1; j += block_columns) {
        const index_t columns = j1 - j < block_columns ? j1 - j : block_columns;
        for (index_t k0 = 0; k0 < q.k; k0 += tile::slab_k) {
          const index_t k = q.k - k0 < tile::slab_k ? q.k - k0 : tile::slab_k;
          block<T>::template multiply<E>(a.shifted(0, k0), tile::packed_panels(q.packed, q.k, q.n, width, k0, j), m,
                                         columns, k, q.chunk, output(j, k0 > 0, k0 + k >= q.k),
                                         tiles == 1 ? t.fetch_ahead : tiles < t.many_tiles ? columns * k : 0, 0);
        }
      }
    } else {
      if constexpr (S.b == weights::strided) {
        const auto b = q.b.item(item).shifted(0, j0);
        const index_t bytes = q.n * q.k * static_cast<index_t>(sizeof(T));
        if (b.column == 1 && m <= block<T>::stream_rows && bytes > t.stream_bytes)
          return block<T>::template stream<E>(a, b, m, j1 - j0, q.k, q.chunk, output(j0, false, true),
                                              bytes > t.memory_bytes);
      }
      // Panels of b go into the caller's workspace, or one at a time onto the stack.
      alignas(64) T on_stack[tile::slab_k * width];
      T* buffer = on_stack;
      index_t block_columns = width;
      if (memory.bytes >= static_cast<index_t>(sizeof on_stack)) {
        buffer = static_cast<T*>(memory.data);
        const index_t fit = memory.bytes / (tile::slab_k * static_cast<index_t>(sizeof(T))) / width * width;
        block_columns = fit < t.long_block_columns ? fit : t.long_block_columns;
      }
      const bool far = item + 1 < q.batch && from_memory(q);
      for (index_t j = j0; j < j1;) {
        index_t columns = j1 - j < block_columns ? j1 - j : block_columns;
        bool in_place = false;
        if constexpr (S.b == weights::strided)
          in_place = q.b.column == 1 && j1 - j >= width && q.n * q.k * static_cast<index_t>(sizeof(T)) <= t.stream_bytes;
        if (in_place) columns = (j1 - j) / width * width;
        for (index_t k0 = 0; k0 < q.k; k0 += tile::slab_k) {
          const index_t k = q.k - k0 < tile::slab_k ? q.k - k0 : tile::slab_k;
          tile::panels<T> panels{buffer, width, k * width};
          if constexpr (S.b == weights::packed_transposed)
            tile::repack_transposed<vector<T>>(q.packed, q.n, q.k, width, k0, k, j, columns, buffer);
          else if (in_place)
            panels = {q.b.item(item).at(k0, j), q.b.row, width};
          else
            tile::pack_slab<vector<T>>(q.b.item(item).shifted(k0, j), k, columns, width, buffer);
          block<T>::template multiply<E>(a.shifted(0, k0), panels, m, columns, k, q.chunk,
                                         output(j, k0 > 0, k0 + k >= q.k), in_place && far ? q.b.batch : 0, far ? q.a.batch : 0);
        }
        j += columns;
      }
    }
  }
};

}  // namespace tern::inline TERN_ISA
