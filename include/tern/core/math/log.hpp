// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/polynomial.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::math::inline TERN_ISA {

/// The natural logarithm, for float, double and vectors of them. log(+-0) = -inf, log(inf) = inf; NaN below 0.
/// Accuracy: 0.876 ulp for float (all inputs), 0.85 ulp for double (docs/elementary-functions.md).
/// Cost: 18 operations on the fma pipes for float, 30 for double, and 4 comparisons.
template <class V>
TERN_FN V log(V x) {
  using T = scalar_of_t<V>;
  using Integer = decltype(bits(x));
  using U = decltype(bits(T()));
  constexpr bool single = is_float<V>;
  constexpr int fraction = fraction_bits<V>;
  constexpr U root = single ? U(0x3f3504f3u) : U(0x3fe6a09e667f3bcdu);  // the bits of sqrt(1/2)
  constexpr U bias = single ? 128 : 1024;
  constexpr T shift = T(U(1) << fraction), infinity = __builtin_huge_valf();

  // x = 2^e m, m between sqrt(1/2) and sqrt 2, by integer arithmetic on the bits; subnormal x through 2^fraction x
  const auto subnormal = x < V(single ? T(0x1p-126) : T(0x1p-1022));
  const Integer i = bits(select(subnormal, x * V(shift), x)) + Integer((bias << fraction) - root);
  const V offset = select(subnormal, V(shift + T(bias + fraction)), V(shift + T(bias)));
  const V e = from_bits<V>((i >> fraction) | bits(V(shift))) - offset;
  const V m = from_bits<V>((i & Integer((U(1) << fraction) - 1)) + Integer(root));

  // log(x) = e log 2 + f + f^2 (-1/2 + f P(f))
  const V f = m - V(1.0f);
  V high, low, p;
  if constexpr (single) {
    high = V(0x1.62e4p-1f), low = V(0x1.7f7d1cp-20f);
    p = polynomial(f, -0x1.38b584p-4f, 0x1.055b6cp-3f, -0x1.0d8542p-3f, 0x1.22da1cp-3f, -0x1.547244p-3f, 0x1.99a008p-3f,
                   -0x1.000226p-2f, 0x1.555554p-2f, -0.5f);
  } else {
    high = V(0x1.62e42fefa38p-1), low = V(0x1.ef35793c7673p-45);
    p = polynomial(f, -0x1.8dbdaeb1b58e2p-6, 0x1.d2afff9b98124p-5, -0x1.01069048f2dbp-4, 0x1.bbacfbbc6ef15p-5,
                   -0x1.b45ea2d01a8eap-5, 0x1.dc97bcde802c1p-5, -0x1.00cfa1d4c46c5p-4, 0x1.1169ffde599d3p-4,
                   -0x1.24894c6176bb7p-4, 0x1.3b0d78e2685f7p-4, -0x1.555576b262d0cp-4, 0x1.745d58ceb9706p-4,
                   -0x1.99999aa0ecc3bp-4, 0x1.c71c702e3608dp-4, -0x1.fffffff3a51a9p-4, 0x1.249249275d18ep-3,
                   -0x1.555555556b1f1p-3, 0x1.9999999994dcbp-3, -0x1.ffffffffffe7cp-3, 0x1.555555555556bp-2, -0.5);
  }
  const V head = fma(e, high, f);  // e * high is exact, and so is rest: the rounding error of head
  const V rest = f - fma(-e, high, head);
  V y = head + fma(f * f, p, fma(e, low, rest));

  y = select(x < V(infinity), y, x);
  return select(x > V(0.0f), y, select(x == V(0.0f), V(-infinity), V(T(__builtin_nanf("")))));
}

}  // namespace tern::math::inline TERN_ISA
