// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of one tile on the vector unit of the host. All of it is tile/: this file only says where sums start.
#pragma once

#include "tern/core/config.hpp"
#include "tern/tile/block.hpp"
#include "tern/tile/contraction.hpp"
#include "tern/tile/epilogue.hpp"
#include "tern/tile/panels.hpp"

namespace tern::inline TERN_ISA {

/// What the totals of an output start from.
enum class sums_from {
  zero,           ///< +0
  negative_zero,  ///< -0, to which adding a chain gives the chain itself, its sign included
  output          ///< what the output holds
};

/// Blocks of register tiles of Rows x Vectors registers of V.
template <class V, int Rows, int Vectors>
struct tile_compute {
  using T = typename V::value_type;
  using vector = V;
  using block = tile::block<V, Rows, Vectors>;
  static constexpr index_t width = block::panel_columns;
  static constexpr index_t depth = block::span;  ///< steps of k that a buffer of panels covers

  /// c = after(start + sums of chunks of a b), for at most block::max_columns columns of b in panels.
  template <epilogue E>
  static void multiply_panels(const operand<const T>& a, const tile::panels<T>& b, index_t m, index_t columns,
                              index_t k, index_t chunk, sums_from start, const operand<T>& c,
                              const operand<const T>& bias, const operand<const T>& residual) {
    block::multiply(
        a, b, m, columns, k, chunk,
        [&](index_t i, index_t rows, T* totals, index_t row) {
          if (start == sums_from::output) tile::load_totals<V>(c.shifted(i, 0), rows, columns, totals, row);
          if (start == sums_from::negative_zero)
            for (index_t r = 0; r < rows; ++r)
              for (index_t j = 0; j < columns; ++j) totals[r * row + j] = T(-0.0);
          return start != sums_from::zero;
        },
        [&](index_t i, index_t rows, const T* totals, index_t row) {
          tile::store_totals<E, V>(totals, row, rows, columns, c.shifted(i, 0), bias.shifted(i, 0),
                                   residual.shifted(i, 0));
        });
  }

  /// c = start + sums of chunks of a b, for b as a matrix of any size and strides: packed bit by bit, on the stack.
  static void multiply(const operand<const T>& a, const operand<const T>& b, index_t m, index_t n, index_t k,
                       index_t chunk, sums_from start, const operand<T>& c) {
    alignas(64) T buffer[depth * width];
    for (index_t j = 0; j < n; j += width) {
      const index_t columns = n - j < width ? n - j : width;
      sums_from from = start;
      for (index_t k0 = 0; k0 < k || k0 == 0; k0 += depth, from = sums_from::output) {
        const index_t steps = k - k0 < depth ? k - k0 : depth;
        tile::pack_panels(b.at(k0, j), b.row, b.column, steps, columns, width, buffer);
        multiply_panels<epilogue{}>(a.shifted(0, k0), {buffer, 0}, m, columns, steps, chunk, from, c.shifted(0, j), {},
                                    {});
      }
    }
  }
};

}  // namespace tern::inline TERN_ISA
