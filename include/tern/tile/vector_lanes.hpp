// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows of elements in vectors, the last of which may have fewer lanes.
#pragma once

#include <type_traits>

#include "tern/core/cache_line.hpp"
#include "tern/core/config.hpp"

namespace tern::tile::inline TERN_ISA {

/// All lanes of a vector, as a number of lanes that is known while compiling.
template <class V>
using all_lanes = std::integral_constant<index_t, V::size>;

/// n elements from p on, zeros behind them; whole vectors are loaded without a mask.
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
/// f(i, n) for vectors of `count` elements: i the first of them, n their number.
template <class V, class F>
TERN_INLINE void each_vector(index_t count, F f) {
  index_t i = 0;
  for (; i + V::size <= count; i += V::size) f(i, all_lanes<V>());
  if (i < count) f(i, count - i);
}

/// The same as each_vector for vectors that are stored from `to` on: where a vector is a line of memory, all but the
/// first and the last are whole ones, because stores across two lines take twice as long.
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

}  // namespace tern::tile::inline TERN_ISA
