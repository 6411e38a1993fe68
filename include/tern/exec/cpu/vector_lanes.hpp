// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of elements in vectors; the last one may be partial.
#pragma once

#include <type_traits>

#include "tern/core/cache_line.hpp"
#include "tern/core/config.hpp"
#include "tern/exec/cpu/non_temporal.hpp"

namespace tern::tile::inline TERN_ISA {

/// All lanes of a vector, as a compile-time number of lanes.
template <class V>
using all_lanes = std::integral_constant<index_t, V::size>;

/// Loads n elements from p, zeros after them; whole vectors without a mask.
template <class V, class N>
TERN_INLINE V load_lanes(const typename V::value_type* p, N n) {
  if constexpr (std::is_same_v<N, all_lanes<V>>)
    return V::load(p);
  else
    return V::load(p, n);
}
template <class V, class N>
TERN_INLINE void store_lanes(V v, typename V::value_type* p, N n) {
  if constexpr (std::is_same_v<N, all_lanes<V>>)
    v.store(p);
  else
    v.store(p, n);
}
/// Calls f(i, n) for vectors of `count` elements: i is the first, n their number.
template <class V, class F>
TERN_INLINE void each_vector(index_t count, F f) {
  index_t i = 0;
  for (; i + V::size <= count; i += V::size) f(i, all_lanes<V>());
  if (i < count) f(i, count - i);
}

/// each_vector for vectors that are stored from `to` on. If a vector is a cache line, all but the first and the last
/// are aligned, because stores across two lines take twice as long.
template <class V, class F>
TERN_INLINE void each_vector_of(const typename V::value_type* to, index_t count, F f) {
  index_t i = 0;
  if constexpr (V::has_masks && V::size * sizeof(*to) == line_bytes) {
    i = elements_before_line(to);
    if (i > count) i = count;
    if (i > 0) f(0, i);
  }
  for (; i + V::size <= count; i += V::size) f(i, all_lanes<V>());
  if (i < count) f(i, count - i);
}

/// store_lanes. If NonTemporal, whole vectors get non-temporal stores, and p begins a cache line.
template <bool NonTemporal, class V, class N>
TERN_INLINE void store_lanes(std::bool_constant<NonTemporal>, V v, typename V::value_type* p, N n) {
  if constexpr (NonTemporal && std::is_same_v<N, all_lanes<V>>)
    store_non_temporal(v, p);
  else
    store_lanes(v, p, n);
}
/// Calls f with `non_temporal` as a constant.
template <class F>
TERN_INLINE void with_non_temporal(bool non_temporal, F f) {
  if (non_temporal)
    f(std::true_type());
  else
    f(std::false_type());
}
/// The first n lanes of x, zeros after them.
template <class V, class N>
TERN_INLINE V first_lanes(V x, N n) {
  if constexpr (std::is_same_v<N, all_lanes<V>>) {
    return x;
  } else {
    typename V::value_type e[V::size];
    x.store(e);
    return V::load(e, n);
  }
}

/// Loads n elements, `stride` apart, into the first lanes of a vector; stride 0 repeats one element.
template <class V, class T>
TERN_INLINE V load_strided(const T* p, index_t stride, index_t n) {
  if (stride == 1) return n == V::size ? V::load(p) : V::load(p, n);
  if (stride == 0) return V::broadcast(p);
  T x[V::size] = {};
  for (index_t i = 0; i < n; ++i) x[i] = p[i * stride];
  return V::load(x);
}

template <class V, class T>
TERN_INLINE void store_strided(V v, T* p, index_t stride, index_t n) {
  if (stride == 1) return n == V::size ? v.store(p) : v.store(p, n);
  T x[V::size];
  v.store(x);
  for (index_t i = 0; i < n; ++i) p[i * stride] = x[i];
}

}  // namespace tern::tile::inline TERN_ISA
