// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of a contraction: rows of the left operand times panels of the right one, over one slab of k.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/family/contraction/contraction.hpp"
#include "tern/family/contraction/cpu/panels.hpp"
#include "tern/family/contraction/cpu/register_tile.hpp"
#include "tern/family/contraction/cpu/totals.hpp"

namespace tern::tile::inline TERN_ISA {

/// The destination of a block's sums.
template <class T>
struct block_output {
  operand<T> c;
  epilogue_operands<T> with;
  bool add = false;   ///< adds to the present totals in c; else overwrites c
  bool last = false;  ///< this is the last slab of k: applies the epilogue
};

/// Blocks with register tiles of Rows x Vectors registers of V.
template <class V, int Rows, int Vectors>
struct macro_kernel {
  using T = typename V::value_type;
  static constexpr index_t panel_columns = Vectors * V::size;

  /// Adds the chunk sums of a(i, k) b(k, j) to c, for i in [0, m), j in [0, columns), k in [0, k), k at most slab_k.
  /// Between slabs c itself holds the chunk totals. They pass through a tile on the stack if c cannot be written in
  /// whole vectors, or the epilogue follows.
  /// \param ahead  prefetch distance in elements from a panel to the data needed after it: the next block or, with one
  ///               tile, memory further down the stream; 0: no prefetch
  /// \param ahead_a  prefetch distance from the rows of a to those of the next batch item; 0: no prefetch
  template <epilogue E>
  static void multiply(const operand<const T>& a, const panels<T>& b, index_t m, index_t columns, index_t k,
                       index_t chunk, const block_output<T>& out, index_t ahead, index_t ahead_a) {
    alignas(64) T copy[Rows * copy_row];
    const index_t tiles = (m + Rows - 1) / Rows;
    const bool copies = columns > panel_columns && rows_collide(a);
    for (index_t t = 0, i0 = 0, rows; t < tiles; ++t, i0 += rows) {
      rows = tiles - t == 1 ? m - i0 : (m - i0) / (tiles - t);
      left_tile<T> left{a.at(i0, 0), a.row, a.column};
      if (ahead_a != 0 && a.column == 1)
        for (index_t i = 0; i < rows; ++i)
          for (index_t x = 0; x < k; x += 64 / element_bytes) __builtin_prefetch(a.at(i0 + i, x) + ahead_a, 0, 3);
      if (copies) {
        for (index_t i = 0; i < rows; ++i) copy_strided<V>(a.at(i0 + i, 0), a.column, k, k, copy + i * copy_row);
        left = {copy, copy_row, 1};
      }
      index_t j = 0;
      if constexpr (four_panels >= 1)
        j = wide<4, 1, four_panels, E>(rows, left, b, j, columns, k, chunk, i0, out, {0, t, tiles});
      if constexpr (two_panels > four_panels)
        j = wide<2, four_panels + 1, two_panels, E>(rows, left, b, j, columns, k, chunk, i0, out, {ahead, t, tiles});
      wide<1, 1, Rows, E>(rows, left, b, j, columns, k, chunk, i0, out, {ahead, t, tiles});
    }
  }

  /// Multiplies all k of a short call, at most a chunk, and applies the epilogue. Has no prefetches and copies, to keep
  /// the call overhead low.
  /// \param b  as panels; their remainders are read only with masked loads
  template <epilogue E>
  static void multiply_short(const operand<const T>& a, const panels<T>& b, index_t m, index_t n, index_t k,
                             const operand<T>& c, const epilogue_operands<T>& with) {
    const index_t tiles = (m + Rows - 1) / Rows;
    for (index_t t = 0, i0 = 0, rows; t < tiles; ++t, i0 += rows) {
      rows = tiles - t == 1 ? m - i0 : (m - i0) / (tiles - t);
      const left_tile<T> left{a.at(i0, 0), a.row, a.column};
      const T* panel = b.p;
      for (index_t j = 0; j < n; j += panel_columns, panel += b.panel) {
        const index_t filled = n - j < panel_columns ? n - j : panel_columns;
        alignas(64) T buffer[E.empty() ? 1 : Rows * panel_columns];
        T* to = c.at(i0, j);
        index_t to_row = c.row;
        if constexpr (!E.empty()) {
          to = buffer, to_row = panel_columns;
          if (E.accumulate) load_totals<V>(c.shifted(i0, j), rows, filled, to, to_row);
        }
        if (filled == panel_columns)
          register_tiles<V, 1, Rows, Vectors, 1>::multiply(rows, left, {panel, b.row, 0}, k, to, to_row,
                                                           E.accumulate ? ending::add : ending::write, 0);
        else
          partial_tiles<V, 1, Rows, Vectors>::multiply(rows, left, panel, b.row, k, filled, to, to_row, E.accumulate);
        if constexpr (!E.empty()) store_totals<E, V>(to, to_row, rows, filled, c.shifted(i0, j), with.shifted(i0, j));
      }
    }
  }
  /// Rows from which one panel at a time saturates the multiply-add units.
  static constexpr index_t rows_for_one_panel = Rows / 2 + 1;

  /// Multiplies a few rows by a row-major b in place (unit column stride), for all k. Reads a few rows of b at a time
  /// over many columns, so that memory sees streams; a buffer holds the chains in between.
  /// \param m      at most stream_rows
  /// \param fetch  true if b is out of cache, so that prefetching pays off
  template <epilogue E>
  static void stream(const operand<const T>& a, const operand<const T>& b, index_t m, index_t columns, index_t k,
                     index_t chunk, const block_output<T>& out, bool fetch) {
    constexpr index_t most = 16, buffer_elements = 32768 / element_bytes;
    alignas(64) T state[buffer_elements];
    alignas(64) T tail[most * panel_columns];
    const index_t group = m <= four_panels ? most / 2 : most;  // rows of b at a time
    const index_t ahead = fetch ? 2 * group * b.row : 0;
    const index_t tiles = (m + Rows - 1) / Rows;
    const index_t block_columns = buffer_elements / m / panel_columns * panel_columns;
    for (index_t j0 = 0; j0 < columns; j0 += block_columns) {
      const index_t n = columns - j0 < block_columns ? columns - j0 : block_columns;
      const index_t state_row = whole_panels(n, panel_columns);
      for (index_t k0 = 0; k0 < k; k0 += chunk) {
        const index_t steps = k - k0 < chunk ? k - k0 : chunk;
        for (index_t x = 0; x < m * state_row; x += V::size) V(T(0)).store(state + x);
        for (index_t g = 0; g < steps; g += group) {
          const index_t count = steps - g < group ? steps - g : group;
          const operand<const T> rows_of_b = b.shifted(k0 + g, j0);
          panels<T> right{rows_of_b.p, b.row, panel_columns};
          for (index_t t = 0, i0 = 0, rows; t < tiles; ++t, i0 += rows) {
            rows = tiles - t == 1 ? m - i0 : (m - i0) / (tiles - t);
            const left_tile<T> left{a.at(i0, k0 + g), a.row, a.column};
            T* to = state + i0 * state_row;
            index_t j = 0;
            if constexpr (four_panels >= 1)
              j = carry<4, 1, four_panels>(rows, left, right, j, n, count, to, state_row, ahead);
            j = carry<1, 1, Rows>(rows, left, right, j, n, count, to, state_row, ahead);
            if (j < n) {
              if (t == 0)
                for (index_t i = 0; i < count; ++i)
                  copy_strided<V>(rows_of_b.at(i, j), 1, n - j, panel_columns, tail + i * panel_columns);
              register_tiles<V, 1, Rows, Vectors, 1>::multiply(rows, left, {tail, panel_columns, 0}, count, to + j,
                                                               state_row, ending::carry, 0);
            }
          }
        }
        const operand<T> c = out.c.shifted(0, j0);
        const bool last = out.last && k0 + steps >= k;
        if (out.add || k0 > 0)
          add_totals<V>(c, m, n, state, state_row);
        else
          for (index_t x = 0; x < m * state_row; x += V::size) (V(T(0)) + V::load(state + x)).store(state + x);
        if (last)
          store_totals<E, V>(state, state_row, m, n, c, out.with.shifted(0, j0));
        else
          store_totals<epilogue{}, V>(state, state_row, m, n, c, {});
      }
    }
  }
  static constexpr index_t stream_rows = 4 * Rows;

 private:
  static constexpr index_t element_bytes = sizeof(T);
  static constexpr index_t copy_row = slab_k + 64 / element_bytes;  // rows of the copy fall into different cache sets
  // Few rows take several panels at a time to hide the fma latency: rows up to which it is 4, and 2.
  static constexpr int four_panels = Rows / 4;
  static constexpr int two_panels = Rows / 2;

  /// All tiles read every panel, so they share the prefetches: each tile prefetches for its share of the panels.
  struct fetch_share {
    index_t ahead, tile, tiles;
    TERN_INLINE index_t of_panel(index_t panel) const { return ahead != 0 && panel % tiles == tile ? ahead : 0; }
  };

  /// Tiles of NP panels for First to Last rows, from column j on, as far as whole tiles go (NP = 1: to the end).
  /// Returns the first remaining column.
  template <int NP, int First, int Last, epilogue E>
  TERN_INLINE static index_t wide(index_t rows, const left_tile<T>& left, const panels<T>& b, index_t j,
                                  index_t columns, index_t k, index_t chunk, index_t i0, const block_output<T>& out,
                                  fetch_share fetch) {
    constexpr index_t width = NP * panel_columns;
    if (rows < First || rows > Last) return j;
    for (; j + (NP == 1 ? 1 : width) <= columns; j += width) {
      const index_t filled = columns - j < width ? columns - j : width;
      const T* panel = b.p + j / panel_columns * b.panel;
      alignas(64) T buffer[Last * width];
      const operand<T> c = out.c.shifted(i0, j);
      const bool direct = c.column == 1 && (!out.last || E.empty());
      T* to = direct ? c.p : &buffer[0];
      const index_t to_row = direct ? c.row : width;
      if (!direct && out.add) load_totals<V>(c, rows, filled, &buffer[0], width);
      for (index_t k0 = 0; k0 < k; k0 += chunk) {
        const index_t steps = k - k0 < chunk ? k - k0 : chunk;
        const left_tile<T> l{left.p + k0 * left.column, left.row, left.column};
        const right_tile<T> r{panel + k0 * b.row, b.row, b.panel};
        const ending end = out.add || k0 > 0 ? ending::add : ending::write;
        if (NP == 1 && filled < width)
          partial_tiles<V, 1, Rows, Vectors>::multiply(rows, l, r.p, r.row, steps, filled, to, to_row,
                                                       end == ending::add);
        else
          register_tiles<V, First, Last, Vectors, NP>::multiply(rows, l, r, steps, to, to_row, end,
                                                                fetch.of_panel(j / width));
      }
      if (direct) continue;
      if (out.last)
        store_totals<E, V>(&buffer[0], width, rows, filled, c, out.with.shifted(i0, j));
      else
        store_totals<epilogue{}, V>(&buffer[0], width, rows, filled, c, {});
    }
    return j;
  }

  /// Continues chains in `state` for First to Last rows, from column j on, as far as whole tiles go.
  template <int NP, int First, int Last>
  TERN_INLINE static index_t carry(index_t rows, const left_tile<T>& left, const panels<T>& b, index_t j,
                                   index_t columns, index_t k, T* state, index_t state_row, index_t ahead) {
    constexpr index_t width = NP * panel_columns;
    if (rows < First || rows > Last) return j;
    for (; j + width <= columns; j += width)
      register_tiles<V, First, Last, Vectors, NP>::multiply(rows, left,
                                                            {b.p + j / panel_columns * b.panel, b.row, b.panel}, k,
                                                            state + j, state_row, ending::carry, ahead);
    return j;
  }

  /// True if the rows of a tile map to few sets of a first-level cache (4 KiB per way): lines of a tile would evict
  /// each other before they are used up, so rows are copied first.
  static bool rows_collide(const operand<const T>& a) {
    const index_t distance = a.row * element_bytes % 2048;
    return a.column == 1 && (distance < 64 || distance > 2048 - 64);
  }
};

}  // namespace tern::tile::inline TERN_ISA
