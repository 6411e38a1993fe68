// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The right operand as panels: the columns in groups as wide as a register tile, each group stored k by k, so that a
// tile reads one stream of memory. The last panel is padded with zeros, which no output uses.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/operand.hpp"
#include "tern/exec/cpu/transpose.hpp"
#include "tern/family/contraction/contraction.hpp"

namespace tern::tile::inline TERN_ISA {

/// Steps of k that are stored together: all panels of the first 512 steps, then all panels of the next, ... One dot
/// chunk: a kernel that finishes a chunk of every output before the next reads packed weights front to back.
inline constexpr index_t slab_k = 512;

/// n rounded up to whole panels.
constexpr index_t whole_panels(index_t n, index_t columns) { return (n + columns - 1) / columns * columns; }

/// Panels in memory: element (k, j) at p[j / columns * panel + k * row + j % columns]. A row-major matrix is its own
/// panels, with `row` its row stride and `panel` = columns.
template <class T>
struct panels {
  const T* p = nullptr;
  index_t row = 0;
  index_t panel = 0;
};

/// The panels of rows [k0, k0 + slab_k) and columns from j on of packed weights of k x n; k0 and j at the start of a
/// slab and of a panel.
template <class T>
TERN_INLINE panels<T> packed_panels(const T* packed, index_t k, index_t n, index_t columns, index_t k0, index_t j) {
  const index_t steps = k - k0 < slab_k ? k - k0 : slab_k;
  return {packed + k0 * whole_panels(n, columns) + j * steps, columns, steps * columns};
}

/// Copies `count` elements, `stride` apart, and pads with zeros to `width`.
template <class V, class T>
TERN_INLINE void copy_strided(const T* from, index_t stride, index_t count, index_t width, T* to) {
  index_t j = 0;
  if (stride == 1) {
    for (; j + V::size <= count; j += V::size) V::load(from + j).store(to + j);
    if (j < count) {
      V::load(from + j, count - j).store(to + j, V::size <= width - j ? V::size : width - j);
      j += V::size;
    }
  } else {
    for (; j < count; ++j) to[j] = from[j * stride];
  }
  for (; j < width; ++j) to[j] = T(0);
}

/// Copies the transpose of rows x columns elements: (i, j) at from[i * from_row + j] goes to to[j * to_row + i], and
/// zeros to i in [rows, filled). Transposes whole registers at a time.
template <class V, class T>
void copy_transposed(const T* from, index_t from_row, index_t rows, index_t columns, T* to, index_t to_row,
                     index_t filled) {
  for (index_t i = 0; i < filled; i += V::size)
    for (index_t j = 0; j < columns; j += V::size) {
      const index_t width = columns - j < V::size ? columns - j : V::size;
      V r[V::size];
      for (int x = 0; x < V::size; ++x) r[x] = i + x < rows ? V::load(from + (i + x) * from_row + j, width) : V(T(0));
      transpose(r);
      for (index_t x = 0; x < width; ++x) r[x].store(to + (j + x) * to_row + i);
    }
}

/// Packs k x n elements of b, k at most slab_k if there are several panels, into panels of `columns` columns: panel
/// after panel, k x columns each. Cost: one read and one write of every element, and shuffles for a column-major b.
template <class V, class T>
void pack_slab(const operand<const T>& b, index_t k, index_t n, index_t columns, T* to) {
  for (index_t j = 0; j < n; j += columns, to += k * columns) {
    const index_t width = n - j < columns ? n - j : columns;
    if (b.row == 1 && b.column != 1)
      copy_transposed<V>(b.at(0, j), b.column, width, k, to, columns, columns);
    else
      for (index_t i = 0; i < k; ++i) copy_strided<V>(b.at(i, j), b.column, width, columns, to + i * columns);
  }
}

/// The same for the transpose of packed weights of `rows` x `n` elements: element (i, j) of the result is (j, i) of the
/// weights. Takes rows [i0, i0 + k) and columns [j0, j0 + count) of the result; i0 and j0 at the start of a panel.
template <class V, class T>
void repack_transposed(const T* packed, index_t rows, index_t n, index_t columns, index_t i0, index_t k, index_t j0,
                       index_t count, T* to) {
  for (index_t j = j0; j < j0 + count; j += columns)
    for (index_t i = i0; i < i0 + k; i += columns) {
      const panels<T> from = packed_panels(packed, rows, n, columns, j / slab_k * slab_k, i);
      const index_t width = i0 + k - i < columns ? i0 + k - i : columns;
      const index_t height = j0 + count - j < columns ? j0 + count - j : columns;
      copy_transposed<V>(from.p + j % slab_k * columns, columns, height, width, to, columns, columns);
      to += width * columns;
    }
}

}  // namespace tern::tile::inline TERN_ISA
