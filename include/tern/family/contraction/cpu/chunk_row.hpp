// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One row of a product with few columns and a long sum, such as the last layer of a classifier for one sample. One fma
// chain would wait for the latency of each fma, so the chains of several chunks run side by side.
#pragma once

#include <utility>

#include "tern/core/config.hpp"
#include "tern/family/contraction/cpu/register_tile.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors; one holds all columns
template <class V>
struct chunk_row {
  using T = typename V::value_type;
  static constexpr int most_chunks = 8;  ///< latency times throughput of fmas: 4 cycles, 2 per cycle

  /// c = (c or +0) + the sums of all chunks, in order, for n columns.
  /// \param b  row k at b + k * b_row; without masked loads whole vectors of it are read
  static void multiply(const T* a, index_t a_column, const T* b, index_t b_row, index_t k, index_t chunk, index_t n,
                       T* c, bool add) {
    V total = add ? V::load(c, n) : V(T(0));
    while (k > 0) {
      const index_t chunks = (k + chunk - 1) / chunk;
      const int count = chunks < most_chunks ? static_cast<int>(chunks) : most_chunks;
      const index_t all = count * chunk, steps = k < all ? k : all;
      total = table.of[count - 1](total, a, a_column, b, b_row, steps, chunk, n);
      a += steps * a_column, b += steps * b_row, k -= steps;
    }
    total.store(c, n);
  }

 private:
  using function = V (*)(V, const T*, index_t, const T*, index_t, index_t, index_t, index_t);

  /// Continues the first Count chains by `steps` steps.
  template <int Count, int Chains>
  TERN_INLINE static void continue_chains(V (&s)[Chains], const T* a, index_t a_column, index_t a_chunk, const T* b,
                                          index_t b_row, index_t b_chunk, index_t steps, index_t n) {
    // Chunks are addressed in threes from one pointer each, as rows of a register tile are.
    constexpr int groups = (Count + 2) / 3;
    const T *from[groups], *weights[groups];
    TERN_UNROLL
    for (int g = 0; g < groups; ++g) from[g] = a + 3 * g * a_chunk, weights[g] = b + 3 * g * b_chunk;
    const row_load<1, true, V> load{n};
    for (; steps > 0; --steps) {
      TERN_UNROLL
      for (int g = 0; g < groups; ++g) __asm__("" : "+r"(from[g]), "+r"(weights[g]));
      TERN_UNROLL
      for (int i = 0; i < Count; ++i)
        s[i] = fma(V::broadcast(from[i / 3] + i % 3 * a_chunk), load(weights[i / 3] + i % 3 * b_chunk, 0), s[i]);
      TERN_UNROLL
      for (int g = 0; g < groups; ++g) from[g] += a_column, weights[g] += b_row;
    }
  }
  /// total + the sums of Count chunks, of which the last may be shorter.
  template <int Count>
  static V sums(V total, const T* a, index_t a_column, const T* b, index_t b_row, index_t k, index_t chunk, index_t n) {
    const index_t last = k - (Count - 1) * chunk, a_chunk = chunk * a_column, b_chunk = chunk * b_row;
    V s[Count];
    TERN_UNROLL
    for (int i = 0; i < Count; ++i) s[i] = V(T(0));
    continue_chains<Count>(s, a, a_column, a_chunk, b, b_row, b_chunk, last, n);
    if constexpr (Count > 1)
      continue_chains<Count - 1>(s, a + last * a_column, a_column, a_chunk, b + last * b_row, b_row, b_chunk,
                                 chunk - last, n);
    TERN_UNROLL
    for (int i = 0; i < Count; ++i) total = total + s[i];
    return total;
  }
  struct functions {
    function of[most_chunks];
  };
  template <int... I>
  static constexpr functions make(std::integer_sequence<int, I...>) {
    return {{&sums<I + 1>...}};
  }
  static constexpr functions table = make(std::make_integer_sequence<int, most_chunks>{});
};

}  // namespace tern::tile::inline TERN_ISA
