// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/exp_parts.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::math::inline TERN_ISA {

/// 1 / (1 + exp(-x)), for float, double and vectors of them. sigmoid(-inf) = 0, sigmoid(inf) = 1; underflows through
/// subnormal numbers to 0.
/// Accuracy: 1.143 ulp for float (all inputs), 1.02 ulp for double (docs/elementary-functions.md).
/// Cost: 22 operations on the fma pipes for float, 27 for double, a division and 4 comparisons.
template <class V>
TERN_FN V sigmoid(V x) {
  constexpr scalar_of_t<V> limit = is_float<V> ? 104.0f : 746.0;  // 0 from -limit down; 1 long before limit
  const V one(1.0f), zero(0.0f), mark(impl::mark<V>);
  x = impl::bounded_below(V(-limit), x);
  x = at_most(V(limit), x);
  // 1 / (1 + 2^n (1 + t)); for n > 0 both sides of the fraction are divided by 2^n: 2^-n / (1 + t + 2^-n)
  const exp_parts<V> e(-x);
  const auto positive = e.n > zero;
  const V k = -abs(e.n), near = at_least(V(-64.0f), k);
  const V s = impl::power_of_two<V>(bits(near + mark));
  const V u = fma(select(positive, one, s), e.tail(), s);
  const V d = one + u, rest = u - (d - one);  // the denominator is d + rest
  const V y = one / d;
  const V quotient = fma(fma(-y, rest, fma(-y, d, one)), y, y);
  const V down = select(positive, k, zero);
  return impl::scale_from(V(-limit), x, quotient, down, down + mark);
}

}  // namespace tern::math::inline TERN_ISA
