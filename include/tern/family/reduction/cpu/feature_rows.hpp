// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of features in vectors. Lanes are features, or neighbouring rows if features are not contiguous.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/order.hpp"
#include "tern/exec/cpu/vector_lanes.hpp"
#include "tern/family/reduction/cpu/feature_sums.hpp"
#include "tern/family/reduction/softmax.hpp"

namespace tern::tile::inline TERN_ISA {

/// \tparam V  vectors
template <class V>
struct feature_rows {
  using T = typename V::value_type;
  using sums = feature_sums<V>;

  /// Rows that complete a step before the next step begins. The steps of one row are dependent, which would leave most
  /// units idle; those of several rows are not.
  static constexpr index_t rows_at_once = 16;
  /// The same limited by a call's rows: data between two steps stays in L1, and rows from memory arrive in smaller
  /// shares, more evenly.
  static constexpr index_t rows_in_cache(const row_shape& s) {
    constexpr index_t elements = 16384 / index_t(sizeof(T));
    const index_t rows = elements / (s.features > 0 ? s.features : 1), most = are_far(s) ? 8 : rows_at_once;
    return rows < 1 ? 1 : rows < most ? rows : most;
  }
  /// True if the elements of a call exceed a second-level cache.
  static constexpr bool are_far(const row_shape& s) { return s.rows() * s.features > 1024 * 1024 / index_t(sizeof(T)); }

  TERN_INLINE static void fetch(const T* p, index_t features) {
    for (index_t k = 0; k < features; k += 64 / index_t(sizeof(T))) __builtin_prefetch(p + k, 0, 3);
  }

  // --- One row ------------------------------------------------------------------------------------------------------

  /// Features from `feature` on of the row at p.
  /// \tparam Dense  true if they are contiguous
  template <bool Dense, class U, class N>
  TERN_INLINE static V load(const scattered_image<U>& i, const T* p, index_t feature, N valid) {
    if constexpr (Dense) return load_lanes<V>(p + feature, valid);
    T e[V::size] = {};
    for (index_t k = 0; k < valid; ++k) e[k] = p[offset(i, feature + k)];
    return V::load(e);
  }
  template <bool Dense, class N>
  TERN_INLINE static void store(V v, const scattered_image<T>& i, T* p, index_t feature, N valid) {
    if constexpr (Dense) return store_lanes(v, p + feature, valid);
    T e[V::size];
    v.store(e);
    for (index_t k = 0; k < valid; ++k) p[offset(i, feature + k)] = e[k];
  }
  template <class U>
  TERN_INLINE static index_t offset(const scattered_image<U>& i, index_t feature) {
    if (feature < i.block) return feature * i.channel;  // divisions would take longer than exponentials
    return feature / i.block * i.block_stride + feature % i.block * i.channel;
  }

  /// The larger of two numbers, or lane by lane of vectors; y if one is NaN.
  template <class U>
  TERN_INLINE static U larger_of(U x, U y) {
    if constexpr (requires { larger(x, y); })
      return larger(x, y);
    else
      return x > y ? x : y;
  }
  /// The maximum of a row: value(i, n) are n features from i on.
  template <class Value>
  TERN_INLINE static T largest(index_t features, Value value) {
    V most[4] = {minus_infinity<V>(), minus_infinity<V>(), minus_infinity<V>(), minus_infinity<V>()};
    index_t i = 0;
    for (; i + 4 * V::size <= features; i += 4 * V::size) {
      TERN_UNROLL
      for (int k = 0; k < 4; ++k) most[k] = larger(value(i + k * V::size, all_lanes<V>()), most[k]);
    }
    for (; i + V::size <= features; i += V::size) most[0] = larger(value(i, all_lanes<V>()), most[0]);
    const auto of_two = [](auto x, auto y) { return larger_of(x, y); };
    T largest = sums::fold(of_two(of_two(most[0], most[1]), of_two(most[2], most[3])), of_two);
    if (i < features) {
      T e[V::size];
      value(i, features - i).store(e);
      for (index_t k = 0; k < features - i; ++k) largest = e[k] > largest ? e[k] : largest;
    }
    return largest;
  }

  /// The first feature with the maximum of a row.
  template <class Value>
  TERN_INLINE static index_t first_largest(index_t features, Value value) {
    row::first_largest<V> of[4];
    index_t i = 0;
    for (; i + 4 * V::size <= features; i += 4 * V::size) {
      TERN_UNROLL
      for (int k = 0; k < 4; ++k) of[k].take(value(i + k * V::size, all_lanes<V>()), i + k * V::size);
    }
    for (; i + V::size <= features; i += V::size) of[0].take(value(i, all_lanes<V>()), i);
    T most = minus_infinity<T>(), e[V::size], place[V::size];
    index_t first = 0;
    const auto take = [&](T v, index_t at) {
      const bool as_large = v == most || (v != v && most != most);
      if (as_large ? at < first : v > most || v != v) most = v, first = at;
    };
    for (int o = 0, used = i >= 4 * V::size ? 4 : i > 0; o < used; ++o) {
      of[o].value.store(e), of[o].place.store(place);
      for (int k = 0; k < V::size; ++k) take(e[k], static_cast<index_t>(math::bits(place[k])) + k);
    }
    if (i < features) {
      value(i, features - i).store(e);
      for (index_t k = 0; k < features - i; ++k) take(e[k], i + k);
    }
    return first;
  }

  // --- As many rows as a vector has lanes ---------------------------------------------------------------------------

  /// The maximum of every row: value(i) is feature i of all.
  template <class Value>
  TERN_INLINE static V largest_of_each(index_t features, Value value) {
    V most = minus_infinity<V>();
    for (index_t i = 0; i < features; ++i) most = larger(value(i), most);
    return most;
  }
  /// Rule 5 for every lane: lane = f(feature, lane).
  template <class F>
  TERN_INLINE static V sum_of_each(index_t features, F f) {
    V total(T(0));
    for (index_t block = 0; block < features; block += feature_block) {
      const index_t end = features - block < feature_block ? features : block + feature_block;
      index_t used = 1;
      while (used < end - block && used < feature_lanes) used *= 2;
      V lane[feature_lanes];
      for (index_t l = 0; l < used; ++l) lane[l] = V(T(0));
      for (index_t i = block; i < end; ++i) lane[(i - block) % feature_lanes] = f(i, lane[(i - block) % feature_lanes]);
      for (index_t w = used / 2; w > 0; w /= 2)
        for (index_t l = 0; l < w; ++l) lane[l] = lane[l] + lane[l + w];
      total = total + lane[0];
    }
    return total;
  }
};

}  // namespace tern::tile::inline TERN_ISA
