// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/exp_parts.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::math::inline TERN_ISA {

/// exp(x) - 1, for float, double and vectors of them; without cancellation near 0. expm1(-inf) = -1, expm1(inf) = inf;
/// zeros and the smallest numbers are returned unchanged. Accuracy: docs/elementary-functions.md. Cost: 14 operations
/// on the fma pipes for float, 19 for double, and 4 comparisons.
template <class V>
TERN_FN V expm1(V x) {
  constexpr scalar_of_t<V> low = is_float<V> ? -18.0f : -38.0;  // -1 from here down
  constexpr scalar_of_t<V> high = is_float<V> ? 89.0f : 710.0;  // inf from here up
  constexpr scalar_of_t<V> most = is_float<V> ? 127.0f : 1023.0;
  const V b = at_most(V(high), at_least(V(low), x));
  const exp_parts<V> e(b);
  // 2^n (1 + t) - 1; if 2^n overflows, computes with 2^(n - 1) and doubles the result
  const auto beyond = e.n > V(most);
  const V power = impl::power_of_two<V>(bits(select(beyond, V(most), e.n) + V(impl::mark<V>)));
  const V y = fma(power, e.tail(), power - V(1.0f));
  return with_sign(abs(y * select(beyond, V(2.0f), V(1.0f))), x);
}

}  // namespace tern::math::inline TERN_ISA
