// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/exp_parts.hpp"
#include "tern/core/math/polynomial.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::math::inline TERN_ISA {

/// The hyperbolic tangent, for float, double and vectors of them. Odd, bit for bit; tanh(+-inf) = +-1.
/// Accuracy: 1.198 ulp for float (all inputs), 1.23 ulp for double (docs/elementary-functions.md).
/// Cost: 21 operations on the fma pipes for float, 32 for double, a division and 2 comparisons.
template <class V>
TERN_FN V tanh(V x) {
  const V one(1.0f), a = abs(x);
  // below 0.625: a + a^3 P(a^2)
  const V square = a * a;
  V p;
  if constexpr (is_float<V>) {
    p = polynomial(square, -0x1.75e1ccp-8f, 0x1.52269cp-6f, -0x1.b83c5cp-5f, 0x1.110724p-3f, -0x1.555532p-2f);
  } else {
    p = polynomial(square, -0x1.0da726f2e193bp-16, 0x1.439120e358099p-14, -0x1.df55797c9e1aap-13, 0x1.336612de464c3p-11,
                   -0x1.7d68a32eef2a3p-10, 0x1.d6cf280eb4b52p-9, -0x1.226e162bf6dd7p-7, 0x1.664f477adabe7p-6,
                   -0x1.ba1ba1b5064aap-5, 0x1.111111110acccp-3, -0x1.55555555554ffp-2);
  }
  const V small = fma(a * square, p, a);
  // above: 1 - 2 / (1 + exp(2 a)); 1 from the limit up
  constexpr scalar_of_t<V> limit = is_float<V> ? 10.0f : 20.0;
  const V b = at_most(V(limit), a);
  const exp_parts<V> e(b + b);
  const V power = impl::power_of_two<V>(bits(e.marked));
  const V large = one - V(2.0f) / fma(power, e.tail(), power + one);
  return with_sign(select(a < V(0.625f), small, large), x);
}

}  // namespace tern::math::inline TERN_ISA
