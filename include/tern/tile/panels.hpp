// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The right operand as panels: the columns in groups as wide as a register tile, each group stored k by k, so that a
// tile reads one stream of memory. The last panel is filled up with zeros, which no output ever sees.
#pragma once

#include "tern/core/config.hpp"

namespace tern::tile::inline TERN_ISA {

/// Panels needed for n columns.
constexpr index_t panel_count(index_t n, index_t panel_columns) { return (n + panel_columns - 1) / panel_columns; }

/// Copies k x n elements, b(i, j) at b[i * row + j * column], into panels: element (i, j) goes to
/// panels[(j / columns) * k * columns + i * columns + j % columns].
/// Cost: one read and one write of every element.
template <class T>
void pack_panels(const T* b, index_t row, index_t column, index_t k, index_t n, index_t columns, T* panels) {
  for (index_t j0 = 0; j0 < n; j0 += columns) {
    const index_t width = n - j0 < columns ? n - j0 : columns;
    for (index_t i = 0; i < k; ++i) {
      const T* from = b + i * row + j0 * column;
      if (column == 1)
        for (index_t j = 0; j < width; ++j) panels[j] = from[j];
      else
        for (index_t j = 0; j < width; ++j) panels[j] = from[j * column];
      for (index_t j = width; j < columns; ++j) panels[j] = T(0);
      panels += columns;
    }
  }
}

/// Copies a tile of the left operand, rows x k elements, to rows of a fixed stride.
template <index_t Row, class T>
TERN_INLINE void copy_rows(const T* a, index_t row, index_t column, index_t rows, index_t k, T* tile) {
  for (index_t i = 0; i < rows; ++i) {
    const T* from = a + i * row;
    T* to = tile + i * Row;
    if (column == 1)
      for (index_t j = 0; j < k; ++j) to[j] = from[j];
    else
      for (index_t j = 0; j < k; ++j) to[j] = from[j * column];
  }
}

}  // namespace tern::tile::inline TERN_ISA
