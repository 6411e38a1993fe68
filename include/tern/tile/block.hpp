// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of a contraction: rows of the left operand times panels of the right one, over one slab of k.
#pragma once

#include "tern/core/config.hpp"
#include "tern/tile/contraction.hpp"
#include "tern/tile/epilogue.hpp"
#include "tern/tile/panels.hpp"
#include "tern/tile/register_tile.hpp"

namespace tern::tile::inline TERN_ISA {

/// Where a block leaves its sums.
template <class T>
struct block_output {
  operand<T> c;
  operand<const T> bias, residual;
  bool add = false;   ///< the totals of c so far are added to; else c is only written
  bool last = false;  ///< no slab of k follows: the epilogue is due
};

/// Blocks with register tiles of Rows x Vectors registers of V.
template <class V, int Rows, int Vectors>
struct block {
  using T = typename V::value_type;
  static constexpr index_t panel_columns = Vectors * V::size;

  /// Adds the chunk sums of a(i, k) b(k, j) to c, for i in [0, m), j in [0, columns), k in [0, k), k at most slab_k.
  /// Chunk totals live in c itself between slabs; where c cannot be written in whole vectors, or the epilogue follows,
  /// they pass through a tile on the stack.
  /// \param ahead  distance in elements from a panel to what will be wanted when all tiles have used it (the next block,
  ///               or just memory further down the stream where there is one tile), fetched meanwhile; 0: nothing
  template <epilogue E>
  static void multiply(const operand<const T>& a, const panels<T>& b, index_t m, index_t columns, index_t k,
                       index_t chunk, const block_output<T>& out, index_t ahead) {
    alignas(64) T copy[Rows * copy_row];
    const index_t tiles = (m + Rows - 1) / Rows;
    const bool copies = columns > panel_columns && rows_collide(a);
    for (index_t t = 0; t < tiles; ++t) {
      const index_t i0 = m * t / tiles, rows = m * (t + 1) / tiles - i0;
      left_tile<T> left{a.at(i0, 0), a.row, a.column};
      if (copies) {
        for (index_t i = 0; i < rows; ++i) copy_strided<V>(a.at(i0 + i, 0), a.column, k, k, copy + i * copy_row);
        left = {copy, copy_row, 1};
      }
      index_t j = 0;
      if constexpr (Rows >= 12) j = wide<4, 3, E>(rows, left, b, j, columns, k, chunk, i0, out, {0, t, tiles});
      if constexpr (Rows >= 4)
        j = wide<2, Rows / 2, E>(rows, left, b, j, columns, k, chunk, i0, out, {ahead, t, tiles});
      wide<1, Rows, E>(rows, left, b, j, columns, k, chunk, i0, out, {ahead, t, tiles});
    }
  }

 private:
  static constexpr index_t element_bytes = sizeof(T);
  static constexpr index_t copy_row = slab_k + 64 / element_bytes;  // rows of the copy lie in different cache sets

  /// Every panel is read by all tiles, and fetching ahead is shared between them: each does it for some panels.
  struct fetch_share {
    index_t ahead, tile, tiles;
    TERN_INLINE index_t of_panel(index_t panel) const { return panel % tiles == tile ? ahead : 0; }
  };

  /// Tiles of NP panels for up to MaxRows rows, from column j on, as far as whole tiles go (NP = 1: to the end).
  /// Few rows need several panels at a time, or the latency of the fmas shows. Returns the first column left.
  template <int NP, int MaxRows, epilogue E>
  TERN_INLINE static index_t wide(index_t rows, const left_tile<T>& left, const panels<T>& b, index_t j,
                                  index_t columns, index_t k, index_t chunk, index_t i0, const block_output<T>& out,
                                  fetch_share fetch) {
    constexpr index_t width = NP * panel_columns;
    if (rows > MaxRows) return j;
    for (; j + (NP == 1 ? 1 : width) <= columns; j += width) {
      const index_t filled = columns - j < width ? columns - j : width;
      const T* panel = b.p + j / panel_columns * b.panel;
      alignas(64) T buffer[MaxRows * width];
      const operand<T> c = out.c.shifted(i0, j);
      const bool direct = c.column == 1 && filled == width && (!out.last || E.empty());
      T* to = direct ? c.p : &buffer[0];
      const index_t to_row = direct ? c.row : width;
      if (!direct && out.add) load_totals<V>(c, rows, filled, &buffer[0], width);
      for (index_t k0 = 0; k0 < k; k0 += chunk) {
        const index_t steps = k - k0 < chunk ? k - k0 : chunk;
        register_tiles<V, MaxRows, Vectors, NP>::multiply(
            rows, {left.p + k0 * left.column, left.row, left.column}, {panel + k0 * b.row, b.row, b.panel}, steps, to,
            to_row, out.add || k0 > 0, fetch.of_panel(j / width));
      }
      if (direct) continue;
      if (out.last)
        store_totals<E, V>(&buffer[0], width, rows, filled, c, out.bias.shifted(i0, j), out.residual.shifted(i0, j));
      else
        store_totals<epilogue{}, V>(&buffer[0], width, rows, filled, c, {}, {});
    }
    return j;
  }

  /// Whether the rows of a tile fall into few sets of a first-level cache (4 KiB from one way to the next): then the
  /// lines of a tile evict each other before they are used up, and rows are better copied.
  static bool rows_collide(const operand<const T>& a) {
    const index_t distance = a.row * element_bytes % 2048;
    return a.column == 1 && (distance < 64 || distance > 2048 - 64);
  }
};

}  // namespace tern::tile::inline TERN_ISA
