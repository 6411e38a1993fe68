// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rearrangement on one core with vector units: some rows of the result. Cost: bound by memory if neighbours stay
// neighbours or a row becomes a column; otherwise elements are moved one by one.
#pragma once

#include <cstring>
#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/transpose.hpp"
#include "tern/family/index/rearrangement.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam Arch  of the vectors, for element types that have vectors
template <class T, class Arch, bool Add>
struct copy_core {
  template <class Map>
  static void rows(const rearrangement<T, Map, Add>& q, index_t first, index_t last) {
    q.each_part(first, last, [&](index_t n, index_t z, index_t y, const row_part& part) {
      const walk &x = part.x, &c = part.channels;
      if (x.count == 0) return;  // memory may be null, too
      const bool none = part.z < 0;
      for (index_t j = 0, size; j < c.count; j += size) {
        const index_t to_channel = c.to + j * c.to_step, from_channel = c.from + j * c.from_step;
        size = q.to.in_block(to_channel, c.to_step, c.count - j);
        if (!none) size = q.from.in_block(from_channel, c.from_step, size);
        rectangle r{x.count, size};
        r.to = q.to.at(n, to_channel, z, y, x.to);
        r.to_row = x.to_step * q.to.axis[2], r.to_column = c.to_step * q.to.channel;
        if (none) {
          r.fill(q.value);
          continue;
        }
        r.from = q.from.at(n, from_channel, part.z, part.y, x.from);
        r.from_row = x.from_step * q.from.axis[2], r.from_column = c.from_step * q.from.channel;
        r.copy();
      }
    });
  }

 private:
  TERN_INLINE static void put(T* to, const T* from, index_t count) {
    if constexpr (Add)
      for (index_t i = 0; i < count; ++i) to[i] = to[i] + from[i];
    else
      std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(T));
  }

  struct rectangle {
    index_t rows, columns;
    T* to = nullptr;
    const T* from = nullptr;
    index_t to_row = 0, to_column = 0, from_row = 0, from_column = 0;

    void fill(T value) const {
      for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j) to[i * to_row + j * to_column] = value;
    }
    rectangle transposed() const { return {columns, rows, to, from, to_column, to_row, from_column, from_row}; }

    void copy() const {
      const bool rows_lie_well = to_column == 1 && from_column == 1, columns_do = to_row == 1 && from_row == 1;
      if (columns_do && (!rows_lie_well || columns == 1))
        transposed().copy_rows();
      else if (rows_lie_well)
        copy_rows();
      else if (to_column == 1 && from_row == 1)
        turn();
      else if (to_row == 1 && from_column == 1)
        transposed().turn();
      else
        one_by_one(0, rows, 0, columns);
    }
    void copy_rows() const {
      if (to_row == columns && from_row == columns) return put(to, from, rows * columns);
      for (index_t i = 0; i < rows; ++i) put(to + i * to_row, from + i * from_row, columns);
    }
    void one_by_one(index_t i0, index_t i1, index_t j0, index_t j1) const {
      for (index_t i = i0; i < i1; ++i)
        for (index_t j = j0; j < j1; ++j)
          put(to + i * to_row + j * to_column, from + i * from_row + j * from_column, 1);
    }
    /// Contiguous columns of `from` become rows.
    void turn() const {
      constexpr index_t side = [] {
        if constexpr (std::is_floating_point_v<T>)
          return lanes<T, Arch>::size;
        else
          return 1;
      }();
      constexpr index_t block = side > 1 ? side : 16;
      for (index_t i = 0, height; i < rows; i += height) {
        height = rows - i < block ? rows - i : block;
        for (index_t j = 0, width; j < columns; j += width) {
          width = columns - j < block ? columns - j : block;
          if constexpr (side > 1)
            turn_square(i, height, j, width);
          else
            one_by_one(i, i + height, j, j + width);
        }
      }
    }
    void turn_square(index_t i0, index_t height, index_t j0, index_t width) const {
      using V = lanes<T, Arch>;
      V r[V::size];
      const T* p = from + i0 + j0 * from_column;
      T* out = to + i0 * to_row + j0;
      if (height == V::size && width == V::size) {
        for (index_t j = 0; j < V::size; ++j) r[j] = V::load(p + j * from_column);
        transpose(r);
        for (index_t i = 0; i < V::size; ++i) (Add ? V::load(out + i * to_row) + r[i] : r[i]).store(out + i * to_row);
      } else {
        for (index_t j = 0; j < V::size; ++j) r[j] = j < width ? V::load(p + j * from_column, height) : V(T(0));
        transpose(r);
        for (index_t i = 0; i < height; ++i)
          (Add ? V::load(out + i * to_row, width) + r[i] : r[i]).store(out + i * to_row, width);
      }
    }
  };
};

}  // namespace tern::tile::inline TERN_ISA
