// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/exp_parts.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::math::inline TERN_ISA {

/// exp(x) for x that is at most 89 for float, 710 for double, or NaN: the same bits as exp, with a comparison less.
template <class V>
TERN_FN V exp_bounded(V x) {
  constexpr scalar_of_t<V> low = is_float<V> ? -104.0f : -746.0;  // 0 from here down
  const exp_parts<V> e(impl::bounded_below(V(low), x));
  return impl::scale_from(V(low), x, e.significand(), e.n, e.marked);
}

/// e to the power x, for float, double and vectors of them. exp(-inf) = 0, exp(inf) = inf; overflows to inf, underflows
/// through subnormal numbers to 0.
/// Accuracy: 0.892 ulp for float (all inputs), 0.90 ulp for double (docs/elementary-functions.md).
/// Cost: 13 operations on the fma pipes for float, 18 for double, and 2 comparisons.
template <class V>
TERN_FN V exp(V x) {
  constexpr scalar_of_t<V> high = is_float<V> ? 89.0f : 710.0;  // inf from here up
  return exp_bounded(at_most(V(high), x));
}

}  // namespace tern::math::inline TERN_ISA
