// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Totals of a contraction between registers and output, in vectors: loads, stores, and the epilogue.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/operand.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"

namespace tern::tile::inline TERN_ISA {

/// Loads the present totals of a few rows and columns from c.
template <class V, class T>
void load_totals(const operand<T>& c, index_t rows, index_t columns, T* totals, index_t totals_row) {
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; j += V::size) {
      const index_t n = columns - j < V::size ? columns - j : V::size;
      const V x = load_strided<V>(static_cast<const T*>(c.at(i, j)), c.column, n);
      store_strided(x, totals + i * totals_row + j, 1, n);  // no lanes beyond: other totals may be there
    }
}

/// totals = c + totals: adds the sums of one more chunk to the present totals in c.
template <class V, class T>
void add_totals(const operand<T>& c, index_t rows, index_t columns, T* totals, index_t totals_row) {
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; j += V::size) {
      const index_t n = columns - j < V::size ? columns - j : V::size;
      T* at = totals + i * totals_row + j;
      (load_strided<V>(static_cast<const T*>(c.at(i, j)), c.column, n) + V::load(at)).store(at);
    }
}

/// The epilogue for the totals of n columns from j on, as the first lanes of a vector.
template <epilogue E, class V, class T>
TERN_INLINE V finish(V totals, const epilogue_operands<T>& with, index_t i, index_t j, index_t n) {
  return epilogue_of<E>(totals, with, [&](const operand<const T>& from) __attribute__((always_inline)) {
    return load_strided<V>(from.at(i, j), from.column, n);
  });
}

/// Writes c from totals through the epilogue E.
/// \tparam Halves  true if few columns are stored as half a vector: a load has to wait for a masked store
template <epilogue E, class V, class T, bool Halves = true>
void store_totals(const T* totals, index_t totals_row, index_t rows, index_t columns, const operand<T>& c,
                  const epilogue_operands<T>& with) {
  if constexpr (E.open) return with.store(totals, totals_row, rows, columns, c, with);
  if constexpr (Halves && !std::is_void_v<typename V::half>)
    if (columns <= V::size / 2)
      return store_totals<E, typename V::half, T, false>(totals, totals_row, rows, columns, c, with);
  // Usually operands of neighbouring columns are contiguous, and the same for all rows: those stay in registers.
  const auto of_columns = [](const operand<const T>& o) { return o.column == 1 && o.row == 0; };
  if (rows > 1 && c.column == 1 && (!E.scale || of_columns(with.scale)) && (!E.bias || of_columns(with.bias)) &&
      (!E.act.takes_slope() || of_columns(with.slope)) && (!E.residual || with.residual.column == 1)) {
    const auto strip = [&](index_t j, auto n) __attribute__((always_inline)) {
      const auto load = [&](const T* from) __attribute__((always_inline)) { return load_lanes<V>(from, n); };
      const V none(T(0));
      struct {
        V scale, bias, residual, slope;
      } v{none, none, none, none};
      if constexpr (E.scale) v.scale = load(with.scale.at(0, j));
      if constexpr (E.bias) v.bias = load(with.bias.at(0, j));
      if constexpr (E.act.takes_slope()) v.slope = load(with.slope.at(0, j));
      const T* from = totals + j;
      T* to = c.at(0, j);
      for (index_t i = 0; i < rows; ++i, from += totals_row, to += c.row) {
        if constexpr (E.residual) v.residual = load(with.residual.at(i, j));
        store_lanes(epilogue_of<E>(load(from), v, [](const V& x) { return x; }), to, n);
      }
    };
    return each_vector<V>(columns, strip);
  }
  for (index_t i = 0; i < rows; ++i)
    for (index_t j = 0; j < columns; j += V::size) {
      const index_t n = columns - j < V::size ? columns - j : V::size;
      const T* at = totals + i * totals_row + j;
      const V y = finish<E>(n == V::size ? V::load(at) : V::load(at, n), with, i, j, n);
      store_strided(y, c.at(i, j), c.column, n);
    }
}

}  // namespace tern::tile::inline TERN_ISA
