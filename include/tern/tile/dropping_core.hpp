// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one core with vector units does of a dropout.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/tile/dropping.hpp"
#include "tern/tile/feature_sums.hpp"
#include "tern/tile/philox.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct dropping_core {
  using T = typename V::value_type;

  /// Rows [first, last), counted over samples, depth and height.
  template <bool Whole, bool Accumulate>
  static void rows(const dropping<T, Whole, Accumulate>& q, index_t first, index_t last) {
    const auto dense = [&q](const auto& i) {
      return (q.channels == 1 || (i.channel == 1 && i.block >= q.channels)) &&
             (q.extent[2] == 1 || i.axis[2] == q.channels);
    };
    row_cursor at(first, {q.extent[0], q.extent[1]});
    for (index_t row = first; row < last; ++row, at.next()) {
      if (dense(q.x) && dense(q.y)) {
        const T* from = q.x.at(at.n, 0, at.z, at.y, 0);
        T* to = q.y.at(at.n, 0, at.z, at.y, 0);
        if constexpr (Whole)
          one_factor<Accumulate>(from, to, q.row_elements(), q.factor(q.word(at.n, 0)));
        else
          line(q, at.n, q.first_of_row(at.z, at.y), from, to, q.row_elements());
      } else {
        for (index_t x = 0; x < q.extent[2]; ++x)
          for (index_t c = 0; c < q.channels; ++c) q.at(at.n, c, at.z, at.y, x);
      }
    }
  }

 private:
  using W = typename lanes<double, typename V::arch_type>::bits_type;  ///< words, in the low halves of 64 bits
  static constexpr int of_vector = sizeof(W) / sizeof(std::uint64_t), side_by_side = 2,
                       at_once = of_vector * side_by_side;  ///< counters, of four words each

  /// The words of elements 4 i to 4 (i + at_once) - 1 of a sample, in their order.
  TERN_INLINE static void words(const random_key& key, index_t sample, index_t i, std::uint32_t (&word)[4 * at_once]) {
    W c[4][side_by_side];
    for (int s = 0; s < side_by_side; ++s) {
      std::uint64_t first[of_vector];
      for (int k = 0; k < of_vector; ++k) first[k] = static_cast<std::uint32_t>(i + s * of_vector + k);
      if constexpr (std::is_integral_v<W>)
        c[0][s] = first[0];
      else
        c[0][s] = W::load(first);
      c[1][s] = W(std::uint64_t{key.sample + static_cast<std::uint32_t>(sample)});
      c[2][s] = W(std::uint64_t{key.step}), c[3][s] = W(std::uint64_t{key.site});
    }
    philox(c, key.seed[0], key.seed[1]);
    const W low(std::uint64_t{0xffffffff});
    for (int s = 0; s < side_by_side; ++s)
      for (int j = 0; j < 4; j += 2) {  // two words at a time
        const W pair = (c[j][s] & low) | (c[j + 1][s] << 32);
        std::uint64_t of[of_vector];
        if constexpr (std::is_integral_v<W>)
          of[0] = pair;
        else
          pair.store(of);
        for (int k = 0; k < of_vector; ++k) {
          word[4 * (s * of_vector + k) + j] = static_cast<std::uint32_t>(of[k]);
          word[4 * (s * of_vector + k) + j + 1] = static_cast<std::uint32_t>(of[k] >> 32);
        }
      }
  }

  template <bool Accumulate, class N>
  TERN_INLINE static void some(const T* from, T* to, V factor, N n) {
    using math::product;
    const V zero(T(0)), d = select(factor == zero, zero, product(load_lanes<V>(from, n), factor));
    store_lanes(Accumulate ? load_lanes<V>(static_cast<const T*>(to), n) + d : d, to, n);
  }
  template <bool Accumulate>
  static void one_factor(const T* from, T* to, index_t count, T factor) {
    each_vector<V>(count, [&](index_t i, auto n)
                              __attribute__((always_inline)) { some<Accumulate>(from + i, to + i, V(factor), n); });
  }

  /// Elements from `first` on of sample n.
  template <bool Accumulate>
  static void line(const dropping<T, false, Accumulate>& q, index_t n, index_t first, const T* from, T* to,
                   index_t count) {
    std::uint32_t word[4 * at_once];
    T factor[4 * at_once + V::size] = {};
    for (index_t e = first, end = first + count; e < end;) {
      const index_t block = e / 4, skip = e - 4 * block;
      words(q.key, n, block, word);
      for (int k = 0; k < 4 * at_once; ++k) factor[k] = q.factor(word[k]);
      const index_t left = end - e, there = 4 * at_once - skip, run = left < there ? left : there;
      each_vector<V>(run, [&](index_t i, auto some_lanes) __attribute__((always_inline)) {
        some<Accumulate>(from + i, to + i, V::load(factor + skip + i), some_lanes);
      });
      e += run, from += run, to += run;
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
