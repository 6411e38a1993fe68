// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register tile of contractions with a windowed left operand: chains continue over several runs, each of which is a
// piece of a matrix.
#pragma once

#include <utility>

#include "tern/core/config.hpp"
#include "tern/family/contraction/cpu/register_tile.hpp"

namespace tern::tile::inline TERN_ISA {

/// The rows of a tile that take part in a run: at a border the first or the last one or two may miss it. In rows of
/// several pixels the numbers count pixels, and both ends may miss.
enum class run_rows : unsigned char { all = 0, not_first = 1, not_first_two = 2, not_last = 16, not_last_two = 32 };
inline constexpr index_t most_missing = 2;

/// The value for a run that this many first and last rows miss.
constexpr run_rows rows_without(index_t first, index_t last) { return static_cast<run_rows>(first | last << 4); }
constexpr int first_of(run_rows r) { return static_cast<int>(r) & 15; }
constexpr int missing_after(run_rows r) { return static_cast<int>(r) >> 4; }

/// `k` steps of chains: the first row that takes part begins at a; b(0, 0) has offset `b` in the right operand. Members
/// have no defaults: lists of runs are long, and only their beginning is written.
template <class T>
struct chain_run {
  const T* a;
  index_t b;
  index_t k;
  run_rows rows;
};

/// One chunk of MR rows and NV vectors of columns, the last with n lanes: chains over all runs, ascending, then one
/// addition onto +0 or onto c.
/// \tparam Part     true if n may be less than a vector
/// \param  columns  (NV - 1) * V::size + n
/// \param  shift    offset in elements of this tile's first row from a of a run
template <int MR, int NV, bool Part, class V, class T>
__attribute__((noinline)) void multiply_runs(const chain_run<T>* runs, index_t count, index_t shift, index_t a_row,
                                             index_t a_column, const T* b, index_t b_row, index_t columns, T* c,
                                             index_t c_row, bool add) {
  const index_t n = columns - (NV - 1) * V::size;
  const row_load<NV, Part, V> load{n};
  V s[MR][NV];
  clear(s);
  for (; count > 0; --count, ++runs) {
    const left_tile<T> left{runs->a + shift, a_row, a_column};
    const right_tile<T> right{b + runs->b, b_row, 0};
    if (runs->rows == run_rows::all) {
      chains<MR, NV, 1>(s, left, right, runs->k, 0, load);
    } else if constexpr (MR > 1) {
      switch (runs->rows) {
        case run_rows::not_first: chains<MR, NV, 1, 1, MR>(s, left, right, runs->k, 0, load); break;
        case run_rows::not_last: chains<MR, NV, 1, 0, MR - 1>(s, left, right, runs->k, 0, load); break;
        default:
          if constexpr (MR > 2) {
            if (runs->rows == run_rows::not_first_two)
              chains<MR, NV, 1, 2, MR>(s, left, right, runs->k, 0, load);
            else
              chains<MR, NV, 1, 0, MR - 2>(s, left, right, runs->k, 0, load);
          }
      }
    }
  }
  store_sums<Part>(s, n, c, c_row, add);
}

/// multiply_runs by the number of rows, 1 to Rows, and of columns, 1 to Vectors * V::size.
/// \tparam Whole, Part  true if columns may fill all vectors; true if they may leave the last one partial
template <class V, int Rows, int Vectors, bool Whole = true, bool Part = true>
struct run_tiles {
  using T = typename V::value_type;
  using function = void (*)(const chain_run<T>*, index_t, index_t, index_t, index_t, const T*, index_t, index_t, T*,
                            index_t, bool);

  TERN_INLINE static function find(index_t rows, index_t columns) {
    if constexpr (!Part)
      return whole.of[rows - 1];
    else if constexpr (!Whole)
      return part.of[(rows - 1) * Vectors + (columns - 1) / V::size];
    else
      return columns == Vectors * V::size ? whole.of[rows - 1]
                                          : part.of[(rows - 1) * Vectors + (columns - 1) / V::size];
  }

 private:
  template <int Count>
  struct functions {
    function of[Count];
  };
  template <int... W>
  static constexpr functions<Rows> make_whole(std::integer_sequence<int, W...>) {
    return {{&multiply_runs<1 + W, Vectors, false, V, T>...}};
  }
  template <int... P>
  static constexpr functions<Rows * Vectors> make_part(std::integer_sequence<int, P...>) {
    return {{&multiply_runs<1 + P / Vectors, 1 + P % Vectors, true, V, T>...}};
  }
  static constexpr functions<Rows> whole = make_whole(std::make_integer_sequence<int, Rows>{});
  static constexpr functions<Rows * Vectors> part = make_part(std::make_integer_sequence<int, Rows * Vectors>{});
};

}  // namespace tern::tile::inline TERN_ISA
