// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over features (docs/numerics.md, rule 5) in vectors.
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/core/each_constant.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/cpu/non_temporal.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"

namespace tern::tile::inline TERN_ISA {

template <class V>
struct feature_sums {
  using T = typename V::value_type;
  static constexpr int vectors = static_cast<int>(feature_lanes) / V::size;
  static constexpr int at_once = vectors < 8 ? vectors : 8;  ///< vectors whose lanes are in registers

  /// The sum of at most feature_block features.
  /// \param add  add(lanes, i, n) adds features i to i + n to the first n lanes, and nothing, or +0, to the others
  template <class Add>
  TERN_INLINE static T of_block(index_t features, Add add) {
    T sum[1];
    of_block(features, sum,
             [&](auto, V lane, index_t i, auto n) __attribute__((always_inline)) { return add(lane, i, n); });
    return sum[0];
  }
  /// Several sums at a time: add(which, lanes, i, n) adds to one of them; `which` is a constant.
  template <int Sums, class Add>
  TERN_INLINE static void of_block(index_t features, T (&sum)[Sums], Add add) {
    const index_t reached = features < feature_lanes ? (features + V::size - 1) / V::size : vectors;
    V lane[Sums][vectors];
    for (int s = 0; s < vectors; s += at_once) {
      V a[Sums][at_once];
      each_constant<Sums>([&](auto w) __attribute__((always_inline)) {
        TERN_UNROLL
        for (int v = 0; v < at_once; ++v) a[w][v] = V(T(0));
      });
      if (s < reached) {
        index_t i = s * V::size;
        for (; i - s * V::size + feature_lanes <= features; i += feature_lanes) {
          TERN_UNROLL
          for (int v = 0; v < at_once; ++v)
            each_constant<Sums>([&](auto w) __attribute__((always_inline)) {
              a[w][v] = add(w, a[w][v], i + v * V::size, all_lanes<V>());
            });
        }
        TERN_UNROLL
        for (int v = 0; v < at_once; ++v) {
          const index_t left = features - (i + v * V::size);
          each_constant<Sums>([&](auto w) __attribute__((always_inline)) {
            if (left >= V::size)
              a[w][v] = add(w, a[w][v], i + v * V::size, all_lanes<V>());
            else if (left > 0)
              a[w][v] = add(w, a[w][v], i + v * V::size, left);
          });
        }
      }
      each_constant<Sums>([&](auto w) __attribute__((always_inline)) {
        TERN_UNROLL
        for (int v = 0; v < at_once; ++v) lane[w][s + v] = a[w][v];
      });
    }
    each_constant<Sums>([&](auto which) __attribute__((always_inline)) { sum[which] = folded(lane[which]); });
  }

  // --- Short rows, which stay in registers from the first read to the last write ------------------------------------

  static constexpr int most_in_registers = 8;  ///< vectors of a row

  /// Calls f(n) with the number of vectors of a row as a constant, if they fit registers; returns whether they do.
  template <class F>
  TERN_INLINE static bool in_registers(index_t features, F f) {
    if constexpr (V::size == 1) {
      return false;
    } else {
      static_assert(most_in_registers <= vectors);
      each_constant<most_in_registers>([&](auto n) {
        if (features > n * V::size && features <= (n + 1) * V::size) f(std::integral_constant<int, n + 1>());
      });
      return features <= most_in_registers * V::size;
    }
  }
  /// Loads N vectors from p; the last one has `last` lanes, with zeros after them.
  template <int N>
  TERN_INLINE static void load_row(const T* p, index_t last, V (&x)[N]) {
    each_constant<N - 1>([&](auto v) __attribute__((always_inline)) { x[v] = V::load(p + v * V::size); });
    x[N - 1] = V::load(p + (N - 1) * V::size, last);
  }
  /// The mask of the first `last` lanes.
  TERN_INLINE static auto first_of(index_t last) {
    T ones[V::size];
    V(T(1)).store(ones);
    return V::load(ones, last) == V(T(1));
  }
  /// Writes value(v) as vector v of a row, or adds it; `non_temporal` selects non-temporal stores of whole lines.
  template <int N, bool Accumulate, class Value>
  TERN_INLINE static void store_row(T* p, index_t last, bool non_temporal, Value value) {
    with_non_temporal(non_temporal && begins_line(p), [&](auto nt) __attribute__((always_inline)) {
      const auto store = [&](auto v, auto valid) __attribute__((always_inline)) {
        T* const to = p + v * V::size;
        const V x = value(v);
        store_lanes(nt, Accumulate ? load_lanes<V>(to, valid) + x : x, to, valid);
      };
      each_constant<N - 1>([&](auto v) __attribute__((always_inline)) { store(v, all_lanes<V>()); });
      store(std::integral_constant<int, N - 1>(), last);
    });
  }
  /// The sum of a row; its vectors started as 0 and have the features added.
  template <int N>
  TERN_INLINE static T of_row(V (&lane)[N]) {
    each_constant<3>([&](auto halving) __attribute__((always_inline)) {
      constexpr int w = most_in_registers >> (halving + 1);
      each_constant<w>([&](auto v) __attribute__((always_inline)) {
        if constexpr (v + w < N) lane[v] = lane[v] + lane[v + w];
      });
    });
    return fold(lane[0], [](auto a, auto b) { return a + b; });
  }

  /// The sum of any number of features.
  template <class Add>
  TERN_INLINE static T of(index_t features, Add add) {
    T sum[1];
    of(features, sum, [&](auto, V lane, index_t i, auto n) __attribute__((always_inline)) { return add(lane, i, n); });
    return sum[0];
  }
  template <int Sums, class Add>
  TERN_INLINE static void of(index_t features, T (&total)[Sums], Add add) {
    for (T& t : total) t = 0;
    for (index_t block = 0; block < features; block += feature_block) {
      const index_t left = features - block;
      T sum[Sums];
      of_block(left < feature_block ? left : feature_block, sum,
               [&](auto which, V lane, index_t i, auto n)
                   __attribute__((always_inline)) { return add(which, lane, block + i, n); });
      for (int s = 0; s < Sums; ++s) total[s] = total[s] + sum[s];
    }
  }

  /// The same for additions of many instructions, with 2 copies of the code instead of 24.
  template <class Add>
  TERN_INLINE static T of_costly(index_t features, Add add) {
    T total = 0;
    for (index_t block = 0; block < features; block += feature_block) {
      V lane[vectors];
      for (V& l : lane) l = V(T(0));
      const index_t left = features - block;
      each_vector<V>(left < feature_block ? left : feature_block,
                     [&](index_t i, auto valid) __attribute__((always_inline)) {
                       V& l = lane[i / V::size % vectors];
                       l = add(l, block + i, valid);
                     });
      total = total + folded(lane);
    }
    return total;
  }

  /// Combines lanes l and l + w, for w of half the lanes, a quarter, ...
  template <class Op>
  TERN_INLINE static T fold(V x, Op op) {
    T e[V::size];
    if constexpr (requires { requires !__is_class(decltype(x.native())); }) {  // not for emulated registers
      [&]<int... Log>(std::integer_sequence<int, Log...>) __attribute__((always_inline)) {
        ((x = op(x, turned<(V::size >> (Log + 1))>(x, std::make_integer_sequence<int, V::size>()))), ...);
      }(std::make_integer_sequence<int, __builtin_ctz(V::size)>());
      x.store(e);
    } else {
      x.store(e);
      for (int w = V::size / 2; w > 0; w /= 2)
        for (int l = 0; l < w; ++l) e[l] = op(e[l], e[l + w]);
    }
    return e[0];
  }

 private:
  /// The sum of all lanes.
  TERN_INLINE static T folded(V (&lane)[vectors]) {
    TERN_UNROLL
    for (int w = vectors / 2; w > 0; w /= 2) {
      TERN_UNROLL
      for (int v = 0; v < w; ++v) lane[v] = lane[v] + lane[v + w];
    }
    return fold(lane[0], [](auto x, auto y) { return x + y; });
  }
  template <int W, int... I>
  TERN_INLINE static V turned(V x, std::integer_sequence<int, I...>) {
    return V(typename V::batch_type(__builtin_shufflevector(x.native(), x.native(), (I ^ W)...)));
  }
};

}  // namespace tern::tile::inline TERN_ISA
