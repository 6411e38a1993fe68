// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes of a vector in groups and in fours, and subsets of lanes.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"

namespace tern::inline TERN_ISA {

namespace impl {
template <int G, int K, class V>
V through_memory(V x) {
  typename V::value_type e[V::size], r[V::size];
  x.store(e);
  for (int i = 0; i < V::size; ++i) r[i] = e[i / G * G + K];
  return V::load(r);
}
}  // namespace impl

/// Lane i holds lane i / G * G + K of x: broadcasts lane K of each group within the group. Cost: one permutation on
/// vectors of the compiler; else through memory.
template <int G, int K, class V>
TERN_INLINE V repeat_in_groups(V x) {
  static_assert(K < G && V::size % G == 0);
  if constexpr (V::has_pairs && 2 * G == V::size) {
    return x.template spread<K>();
  } else if constexpr (!__is_class(decltype(x.native()))) {  // emulated registers are arrays
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return V(typename V::batch_type(__builtin_shufflevector(x.native(), x.native(), (I / G * G + K)...)));
    }(std::make_integer_sequence<int, V::size>{});
  } else {
    return impl::through_memory<G, K>(x);
  }
}

/// Returns x, opaque to the compiler. Otherwise g++ 14 merges two permutations into one with two registers and an index
/// vector, which takes longer than both.
template <class V>
TERN_INLINE V unmerged(V x)
  requires(V::has_pairs)
{
  auto r = x.native();
  __asm__("" : "+v"(r));
  return V(typename V::batch_type(r));
}

/// Every other group of four lanes of a, then of b: the groups with even numbers or, if Odd, with odd ones.
template <bool Odd, class V>
TERN_INLINE V every_other_four(V a, V b)
  requires(V::has_pairs)
{
  constexpr int from = Odd ? 4 : 0;
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return V(typename V::batch_type(__builtin_shufflevector(a.native(), b.native(), (I / 4 * 8 + from + I % 4)...)));
  }(std::make_integer_sequence<int, V::size>{});
}

/// Four lanes from at(0), the next four from at(1), and so on.
template <class V, class At>
TERN_INLINE V load_fours(At at, index_t first = 0) {
  if constexpr (V::size == 4)
    return V::load(at(first));
  else
    return V::join(load_fours<typename V::half>(at, first), load_fours<typename V::half>(at, first + V::size / 8));
}

/// Calls f(number, four lanes) for every four lanes of x.
template <class V, class F>
TERN_INLINE void each_four(V x, F f, int number = 0) {
  if constexpr (V::size == 4)
    f(number, x);
  else
    each_four(x.low(), f, number), each_four(x.high(), f, number + V::size / 8);
}

/// A subset of the lanes of a vector.
template <class V>
class lane_mask {
 public:
  /// \param lanes  bit i selects lane i
  TERN_INLINE explicit lane_mask(std::uint64_t lanes) : on_(static_cast<integer>(lanes)) {}
  /// a * b + c in these lanes, c in the others.
  TERN_INLINE V multiply_add(V a, V b, V c) const {
    const bits lane = []<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      const integer bit[] = {(integer(1) << I)...};
      return bits::load(bit);
    }(std::make_integer_sequence<int, V::size>{});
    return select_equal(bits(on_) & lane, lane, fma(a, b, c), c);
  }

 private:
  using bits = typename V::bits_type;
  using integer = typename bits::value_type;
  integer on_;
};

#if defined(TERN_HAS_AVX512)
template <class T>
class lane_mask<lanes<T, avx512_arch>> {
 public:
  using V = lanes<T, avx512_arch>;

  TERN_INLINE explicit lane_mask(std::uint64_t lanes) : on_(static_cast<mask>(lanes)) {}
  TERN_INLINE V multiply_add(V a, V b, V c) const {
    if constexpr (sizeof(T) == 4)
      return typename V::batch_type(_mm512_mask3_fmadd_ps(a.native(), b.native(), c.native(), on_));
    else
      return typename V::batch_type(_mm512_mask3_fmadd_pd(a.native(), b.native(), c.native(), on_));
  }

 private:
  using mask = std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8>;
  mask on_;
};
#endif

}  // namespace tern::inline TERN_ISA
