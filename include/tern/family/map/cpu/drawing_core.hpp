// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that draw random numbers on one core with vector units: some rows.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/philox.hpp"
#include "tern/exec/cpu/lanes.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/map/drawing.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct drawing_core {
  using T = typename V::value_type;

  /// Rows [first, last), counted over samples, depth and height. Rows with elements in the order of their numbers are
  /// processed in vectors, others one by one.
  template <class F>
  static void rows(const drawing<T, F>& q, index_t first, index_t last) {
    bool dense = true;
    const auto look = [&](const auto& i) {
      dense = dense && (q.channels == 1 || (i.channel == 1 && i.block >= q.channels)) &&
              (q.extent[2] == 1 || i.axis[2] == q.channels);
    };
    for (const auto& i : q.in) look(i);
    for (const auto& o : q.out) look(o);
    row_cursor at(first, {q.extent[0], q.extent[1]});
    for (index_t row = first; row < last; ++row, at.next()) {
      if (dense) {
        line(q, at);
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

  /// The words of elements 4 i to 4 (i + at_once) - 1 of a sample, in order.
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

  /// One row, whose numbers are generated some at a time.
  template <class F>
  static void line(const drawing<T, F>& q, const row_cursor& at) {
    const T* from[F::inputs];
    T* to[F::outputs];
    for (int i = 0; i < F::inputs; ++i) from[i] = q.in[i].at(at.n, 0, at.z, at.y, 0);
    for (int i = 0; i < F::outputs; ++i) to[i] = q.out[i].at(at.n, 0, at.z, at.y, 0);
    const auto apply = [&](index_t e, V number, auto n) __attribute__((always_inline)) {
      V x[F::inputs], y[F::outputs];
      TERN_UNROLL
      for (int i = 0; i < F::inputs; ++i) x[i] = load_lanes<V>(from[i] + e, n);
      if constexpr (F::accumulates) {
        TERN_UNROLL
        for (int i = 0; i < F::outputs; ++i) y[i] = load_lanes<V>(static_cast<const T*>(to[i] + e), n);
      }
      q.f(x, number, y);
      TERN_UNROLL
      for (int i = 0; i < F::outputs; ++i) store_lanes(y[i], to[i] + e, n);
    };
    const index_t count = q.row_elements();
    if constexpr (F::whole) {
      const V number(q.number(at.n, 0));
      each_vector<V>(count, [&](index_t e, auto n) __attribute__((always_inline)) { apply(e, number, n); });
    } else {
      std::uint32_t word[4 * at_once];
      T number[4 * at_once + V::size] = {};
      const index_t first = q.first_of_row(at.z, at.y);
      for (index_t e = 0, run; e < count; e += run) {
        const index_t block = (first + e) / 4, skip = first + e - 4 * block;
        words(q.key, at.n, block, word);
        for (int k = 0; k < 4 * at_once; ++k) number[k] = q.f.number(word[k]);
        const index_t left = count - e, there = 4 * at_once - skip;
        run = left < there ? left : there;
        each_vector<V>(run, [&](index_t i, auto n)
                                __attribute__((always_inline)) { apply(e + i, V::load(number + skip + i), n); });
      }
    }
  }
};

}  // namespace tern::tile::inline TERN_ISA
