// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of a contraction: rows of the left operand times panels that are near at hand (an L2 cache, a tile's memory).
#pragma once

#include "tern/core/config.hpp"
#include "tern/tile/contraction.hpp"
#include "tern/tile/panels.hpp"
#include "tern/tile/register_tile.hpp"

namespace tern::tile::inline TERN_ISA {

/// Panels of the right operand (tile/panels.hpp), from some k on.
template <class T>
struct panels {
  const T* p = nullptr;
  index_t stride = 0;  ///< elements from one panel to the next
};

/// Blocks with register tiles of Rows x Vectors registers of V.
template <class V, int Rows, int Vectors>
struct block {
  using T = typename V::value_type;
  static constexpr index_t panel_columns = Vectors * V::size;
  static constexpr index_t max_columns = 512;  ///< columns of one block, in whole panels
  static constexpr index_t span = 512;         ///< steps of k that the copied rows of the left operand cover

  /// totals(i, j) = totals(i, j) + chunk sums of a(i, k) b(k, j), for a few rows at a time:
  /// load(i, rows, totals, totals_row) may fill the totals of rows [i, i + rows) and says whether it did (else they
  /// start at +0); store(i, rows, totals, totals_row) takes the result.
  /// \param a        m x k
  /// \param columns  of the block, at most max_columns; totals have room for whole panels
  /// \param chunk    where chains are cut
  template <class Load, class Store>
  static void multiply(const operand<const T>& a, const panels<T>& b, index_t m, index_t columns, index_t k,
                       index_t chunk, Load load, Store store) {
    constexpr index_t tile_row = span + 64 / sizeof(T);  // rows of the tile fall into different cache sets
    alignas(64) T tile[Rows * tile_row];
    alignas(64) T totals[Rows * max_columns];
    const index_t tiles = (m + Rows - 1) / Rows;
    const index_t whole = chunk < span ? span / chunk * chunk : span;
    for (index_t t = 0; t < tiles; ++t) {
      const index_t i0 = m * t / tiles, rows = m * (t + 1) / tiles - i0;
      bool add = load(i0, rows, &totals[0], max_columns);
      for (index_t k0 = 0; k0 < k; k0 += whole) {
        const index_t steps = k - k0 < whole ? k - k0 : whole;
        copy_rows<tile_row>(a.at(i0, k0), a.row, a.column, rows, steps, tile);
        for (index_t j = 0; j < columns; j += panel_columns) {
          const T* panel = b.p + j / panel_columns * b.stride + k0 * panel_columns;
          for (index_t c0 = 0; c0 < steps; c0 += chunk) {
            const index_t c = steps - c0 < chunk ? steps - c0 : chunk;
            register_tiles<V, left_operand<T, tile_row, 1>, Rows, Vectors>::multiply(
                rows, {tile + c0}, panel + c0 * panel_columns, panel_columns, c, totals + j, max_columns,
                add || c0 > 0);
          }
        }
        add = true;
      }
      if (k == 0 && !add)
        for (index_t i = 0; i < rows; ++i)
          for (index_t j = 0; j < columns; ++j) totals[i * max_columns + j] = T(0);
      store(i0, rows, &totals[0], max_columns);
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
