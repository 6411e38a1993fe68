// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The core of exp, sigmoid, tanh and erf, which combine its parts differently.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/polynomial.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::math::inline TERN_ISA {

namespace impl {

/// Added to x, it rounds x to an integer n. The sum, called `marked`, holds n in its lowest bits, modulo a power of
/// two.
template <class V>
inline constexpr scalar_of_t<V> mark = is_float<V> ? 0x1.8p23f : 0x1.8p52;

/// 2^n for the integer n in the lowest bits of `i`; 2^n must be a normal number.
template <class V, class Integer>
TERN_FN V power_of_two(Integer i) {
  const auto exponent = i << fraction_bits<V>;
  return from_bits<V>(exponent + bits(V(1.0f)));
}

/// 2^n m rounded once, for 1/4 < m < 4 and any n down to twice the exponent of the smallest normal number. Cost: 3
/// operations on the fma pipes, or one instruction if available.
template <class V>
TERN_FN V scale(V m, V n, V marked) {
  if constexpr (requires { times_power_of_two(m, n); }) {
    return times_power_of_two(m, n);
  } else {
    const auto half = bits(fma(n, V(0.5f), V(mark<V>)));  // a near n / 2: 2^a, 2^(n - a) are normal, 2^a m is exact
    return product(m * power_of_two<V>(half), power_of_two<V>(bits(marked) - half));
  }
}

/// For functions of x that are 0 from `low` down. Most vectors bound x from below by `low`. AVX-512 vectors mask the
/// scaling instead, with 0 below `low`: an underflow takes them a hundred cycles, and -infinity, a softmax's masked
/// element, would be the slowest.
template <class V>
inline constexpr bool masks_scale = requires(V v) { times_power_of_two_from(v, v, v, v); };
template <class V>
TERN_FN V bounded_below(V low, V x) {
  if constexpr (masks_scale<V>)
    return x;
  else
    return at_least(low, x);
}
template <class V>
TERN_FN V scale_from(V low, V x, V m, V n, V marked) {
  if constexpr (masks_scale<V>)
    return times_power_of_two_from(low, x, m, n);
  else
    return scale(m, n, marked);
}

}  // namespace impl

/// exp(x) = 2^n (1 + r + r^2 q): n is the integer nearest to x / log 2, so |r| is at most log 2 / 2.
template <class V>
struct exp_parts {
  V n;
  V marked;  ///< n + impl::mark
  V r;
  V q;

  /// For |x| up to 170 (float) or 1400 (double); beyond, the parts are meaningless. NaN gives NaN parts. Cost: 8
  /// operations on the fma pipes for float, 13 for double.
  TERN_FN explicit exp_parts(V x) {
    if constexpr (is_float<V>) {
      marked = fma(x, V(0x1.715476p+0f), V(impl::mark<V>));
      n = marked - V(impl::mark<V>);
      r = fma(n, V(-0x1.62e4p-1f), x);  // exact: the constant has 15 bits
      r = fma(n, V(-0x1.7f7d1cp-20f), r);
      q = polynomial(r, 0x1.6a2352p-10f, 0x1.123a6cp-7f, 0x1.5558f2p-5f, 0x1.555492p-3f, 0x1.fffffcp-2f);
    } else {
      marked = fma(x, V(0x1.71547652b82fep+0), V(impl::mark<V>));
      n = marked - V(impl::mark<V>);
      r = fma(n, V(-0x1.62e42fefa38p-1), x);  // exact: the constant has 42 bits
      r = fma(n, V(-0x1.ef35793c7673p-45), r);
      q = polynomial(r, 0x1.ad7efff428946p-26, 0x1.28adce7beaf13p-22, 0x1.71df262debbcdp-19, 0x1.a01999adc1a01p-16,
                     0x1.a01a0129b3ac3p-13, 0x1.6c16c1844b052p-10, 0x1.1111111127e85p-7, 0x1.55555555507fp-5,
                     0x1.55555555554fap-3, 0x1.000000000000ap-1);
    }
  }

  /// exp(r), between 0.70 and 1.42.
  TERN_FN V significand() const { return fma(fma(q, r, V(1.0f)), r, V(1.0f)); }

  /// exp(r) - 1, between -0.30 and 0.42.
  TERN_FN V tail() const { return fma(r * r, q, r); }
};

}  // namespace tern::math::inline TERN_ISA
