// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Couplings as functions of mappings: of a stream and its addend; and conversions between streams and real numbers.
// Recipes: docs/numerics.md.
//
// Products here are by powers of two, and exact. Integers are converted by additions to a large number, as in exp:
// conversion instructions exist for few vector types, and this gives the same bits everywhere.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/op/coupling.hpp"

namespace tern::tile::inline TERN_ISA {

/// 2^n.
template <class T>
TERN_FN constexpr T two_to(int n) {
  T p = 1;
  for (; n > 0; --n) p *= 2;
  for (; n < 0; ++n) p /= 2;
  return p;
}

/// x clamped between two numbers; 0 for NaN.
template <class V>
TERN_FN V bounded(V low, V x, V high) {
  using math::select;
  return math::at_most(high, math::at_least(low, select(x == x, x, V(0.0f))));
}

/// Streams whose elements are numbers or vectors V, in steps of 2^-Bits. `steps` converts a real number to a whole
/// number of steps; `sum` and `difference` apply these; `of` converts a real number to an element, `number` back.
template <stream_kind S, int Bits, class V>
struct stream;

template <int Bits, class V>
struct stream<stream_kind::fixed_point, Bits, V> {
  using T = math::scalar_of_t<V>;
  using word = std::conditional_t<math::is_float<V>, std::uint32_t, std::uint64_t>;
  static constexpr int half = static_cast<int>(sizeof(T)) * 4;  ///< half of the bits
  static constexpr T up = two_to<T>(half), down = 1 / up, fine = two_to<T>(Bits), step = 1 / fine;
  static constexpr T least = -two_to<T>(2 * half - 1),
                     most = -(least + two_to<T>(2 * half - 2 - math::fraction_bits<V>));
  static constexpr T origin = two_to<T>(math::fraction_bits<V>);  ///< shows the bits of small integers that are not < 0
  static constexpr T mark = origin * T(1.5f);                     ///< rounds to integers, and shows their bits

  /// Converts to an integer as wide as T. A fraction has too few bits for it, so both halves are rounded to integers
  /// separately; the remainder after the higher one is exact, so ties are unchanged.
  TERN_FN static auto steps(V f) {
    using math::bits;
    using math::fma;
    using math::product;
    const V s = bounded(V(least), product(f, V(fine)), V(most));
    const V high = fma(s, V(down), V(mark)), low = fma(high - V(mark), V(-up), s) + V(mark);
    return (bits(high) << half) + (bits(low) - bits(V(mark)));  // the bits of mark itself are shifted out on the left
  }
  template <class Steps>
  TERN_FN static V sum(V x, Steps steps) {
    using math::bits;
    return math::from_bits<V>(bits(x) + steps);
  }
  template <class Steps>
  TERN_FN static V difference(V x, Steps steps) {
    using math::bits;
    return math::from_bits<V>(bits(x) - steps);
  }
  TERN_FN static V of(V x) { return math::from_bits<V>(steps(x)); }
  TERN_FN static V number(V x) {
    using math::bits;
    using math::fma;
    using math::product;
    constexpr word sign = word{1} << (half - 1), mask = (word{1} << half) - 1;
    const auto i = bits(x), shown = bits(V(origin));
    using words = std::remove_const_t<decltype(i)>;
    const V low = math::from_bits<V>((i & words(mask)) | shown) - V(origin);
    const V high = math::from_bits<V>(((i >> half) ^ words(sign)) | shown) - V(origin + up / 2);
    return product(fma(high, V(up), low), V(step));
  }
};

template <int Bits, class V>
struct stream<stream_kind::grid, Bits, V> {
  using T = math::scalar_of_t<V>;
  /// Elements are below the first in magnitude; from the second on all numbers are multiples of the step.
  static constexpr T end = two_to<T>(math::fraction_bits<V> + 1 - Bits),
                     coarse = two_to<T>(math::fraction_bits<V> - Bits);
  static constexpr T most = coarse / 2, mark = coarse * T(1.5f);

  TERN_FN static V steps(V f) { return (bounded(V(-most), f, V(most)) + V(mark)) - V(mark); }
  TERN_FN static V sum(V x, V steps) { return in_range(x + steps); }
  TERN_FN static V difference(V x, V steps) { return in_range(x - steps); }
  TERN_FN static V of(V x) {
    using math::select;
    const V away = math::with_sign(V(coarse), x);
    return in_range(select(math::abs(x) < V(coarse), (x + away) - away, x));
  }
  TERN_FN static V number(V x) { return x; }

 private:
  TERN_FN static V in_range(V x) {
    using math::select;
    return select(math::abs(x) < V(end), x, V(static_cast<T>(__builtin_nanf(""))));
  }
};

template <int Bits, class V>
struct stream<stream_kind::drifting, Bits, V> {
  TERN_FN static V steps(V f) { return f; }
  TERN_FN static V sum(V x, V f) { return x + f; }
  TERN_FN static V difference(V x, V f) { return x - f; }
  TERN_FN static V of(V x) { return x; }
  TERN_FN static V number(V x) { return x; }
};

/// Operations per element, for plans.
constexpr index_t coupling_operations(stream_kind s) {
  return s == stream_kind::fixed_point ? 10 : s == stream_kind::grid ? 8 : 1;
}

/// Maps x and f to x + f, or inverse to x - f.
template <stream_kind S, int Bits, bool Inverse>
struct coupling_map {
  static constexpr int inputs = 2, outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = coupling_operations(S);

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    using of = stream<S, Bits, V>;
    out[0] = Inverse ? of::difference(in[0], of::steps(in[1])) : of::sum(in[0], of::steps(in[1]));
  }
};

/// Maps real numbers to the elements of a stream; the inverse maps back.
template <stream_kind S, int Bits, bool Inverse>
struct stream_map {
  static constexpr int inputs = 1, outputs = 1;
  static constexpr bool accumulates = false;
  static constexpr index_t operations = coupling_operations(S);

  template <class V>
  TERN_FN void operator()(const V* in, V* out) const {
    out[0] = Inverse ? stream<S, Bits, V>::number(in[0]) : stream<S, Bits, V>::of(in[0]);
  }
};

}  // namespace tern::tile::inline TERN_ISA
