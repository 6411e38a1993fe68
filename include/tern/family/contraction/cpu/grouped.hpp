// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The register tile of convolutions with small groups. A vector holds several groups of G channels, in the result and in
// the source alike, so the factor of a lane is a lane of its own group.
#pragma once

#include <utility>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lane_groups.hpp"
#include "tern/family/contraction/cpu/register_tile.hpp"
#include "tern/family/contraction/cpu/runs.hpp"

namespace tern::tile::inline TERN_ISA {

/// One chunk of MR rows and one vector of n columns: chains over all runs, ascending, then one addition onto +0 or c. A
/// run is a tap: G steps, whose factors are the lanes of each group in the vector at the run's a.
/// Cost: MR loads, MR * G permutations and fmas, and G loads of b for each run.
template <int MR, int G, class V, class T>
__attribute__((noinline)) void multiply_groups(const chain_run<T>* runs, index_t count, index_t shift, index_t a_row,
                                               const T* b, index_t n, T* c, index_t c_row, bool add) {
  const bool whole = n == V::size;
  V s[MR][1];
  clear(s);
  for (; count > 0; --count, ++runs) {
    const T* a = runs->a + shift;
    V bk[G];
    TERN_UNROLL
    for (int k = 0; k < G; ++k) bk[k] = V::load(b + runs->b + k * V::size);
    const auto step = [&](int i) __attribute__((always_inline)) {
      const V x = whole ? V::load(a) : V::load(a, n);
      [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
        ((s[i][0] = fma(repeat_in_groups<G, K>(x), bk[K], s[i][0])), ...);
      }(std::make_integer_sequence<int, G>{});
      a += a_row;
    };
    if (runs->rows == run_rows::all) {
      TERN_UNROLL
      for (int i = 0; i < MR; ++i) step(i);
    } else {
      const int first = first_of(runs->rows), last = MR - missing_after(runs->rows);
      TERN_UNROLL
      for (int i = 0; i < MR; ++i)
        if (i >= first && i < last) step(i);
    }
  }
  store_sums<true>(s, n, c, c_row, add);
}

/// multiply_groups by the number of rows, 1 to Rows.
template <class V, int Rows>
struct group_tiles {
  using T = typename V::value_type;
  using function = void (*)(const chain_run<T>*, index_t, index_t, index_t, const T*, index_t, T*, index_t, bool);

  /// True if there are tiles for groups of this many channels.
  static constexpr bool has(index_t channels) {
    return (channels == 2 || channels == 4 || channels == 8) && 2 * channels <= V::size;
  }
  /// Copies the channels of one group.
  TERN_INLINE static void copy(index_t channels, const T* from, T* to) {
    if constexpr (has(8))
      if (channels == 8) return void(__builtin_memcpy(to, from, 8 * sizeof(T)));
    if constexpr (has(4))
      if (channels == 4) return void(__builtin_memcpy(to, from, 4 * sizeof(T)));
    __builtin_memcpy(to, from, 2 * sizeof(T));
  }
  static function find(index_t channels, index_t rows) {
    if constexpr (has(8))
      if (channels == 8) return table<8>.of[rows - 1];
    if constexpr (has(4))
      if (channels == 4) return table<4>.of[rows - 1];
    return table<2>.of[rows - 1];
  }

 private:
  struct functions {
    function of[Rows];
  };
  template <int G, int... M>
  static constexpr functions make(std::integer_sequence<int, M...>) {
    return {{&multiply_groups<1 + M, G, V, T>...}};
  }
  template <int G>
  static constexpr functions table = make<G>(std::make_integer_sequence<int, Rows>{});
};

}  // namespace tern::tile::inline TERN_ISA
