// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gelu(x) = x Phi(x), Phi the distribution function of the normal distribution. For float, Phi(-|x|) is a power of one
// polynomial: erf and exp would take twice the work. It also avoids the cancellation of 1 + erf for x < 0.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/erf.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/polynomial.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::math::inline TERN_ISA {

namespace impl {
inline constexpr double root_half = 0x1.6a09e667f3bcdp-1;  // 1 / sqrt 2
inline constexpr double density = 0x1.9884533d43651p-2;    // 1 / sqrt(2 pi)
inline constexpr float gelu_end = 1024.0f;                 // bounds x: Phi(-x) is 0 long before; avoids 0 * inf
}  // namespace impl

/// The Gaussian error linear unit, for float, double and vectors of them; gelu(-inf) = -0.
/// Accuracy for float (all inputs): 1.70 ulp for x > 0, 0.81 * 2^-24 for x < 0 (docs/elementary-functions.md).
/// Cost: 17 operations on the fma pipes, a division and 2 comparisons for float; 52 and 3 comparisons for double.
template <class V>
TERN_FN V gelu(V x) {
  if constexpr (is_float<V>) {
    const V t = at_most(V(impl::gelu_end), abs(x)), square = t * t;
    const V even = polynomial(square, 0x1.b4b04cp-22f, 0x1.d14eaap-16f, 0x1.978cbcp-13f, 0x1.cafb2cp-11f,
                              0x1.af56cep-7f, 0x1.988478p-4f);
    const V odd =
        polynomial(square, -0x1.3b9e62p-18f, -0x1.5965ap-14f, -0x1.55da6cp-14f, 0x1.58b378p-9f, 0x1.97695cp-5f);
    // Phi(-t) = 1/2 (1 + 2 y)^-4. Squares 1 + 2 y without adding the 1, so that y keeps all its bits.
    V y = t * fma(odd, t, even);
    y = fma(y, y, y);      // (1 + 2 y)^2 = 1 + 4 y
    y = fma(y + y, y, y);  // (1 + 4 y)^2 = 1 + 8 y
    return at_least(V(-0.0f), x) - t / fma(V(16.0f), y, V(2.0f));
  } else {
    const V b = at_least(V(-16.0f), x);  // erf is -1 there: avoids 0 * inf
    return product(V(0.5f) * b, V(1.0f) + erf(b * V(impl::root_half)));
  }
}

/// The derivative of gelu.
/// Accuracy: 2.3 * 2^-24 for float (all inputs), 2.5 * 2^-53 for double.
/// Cost: 18 operations on the fma pipes, a division and 2 comparisons for float; 73 and 6 comparisons for double.
template <class V>
TERN_FN V gelu_slope(V x) {
  if constexpr (is_float<V>) {
    const V t = at_most(V(impl::gelu_end), abs(x)), square = t * t, one(1.0f);
    const V even =
        polynomial(square, 0x1.87d9cap-23f, 0x1.bc8b26p-17f, 0x1.1f97d4p-12f, 0x1.a40ab4p-9f, 0x1.0ffd8ep-6f);
    const V odd = polynomial(square, -0x1.cef4eep-20f, -0x1.6a3a5p-15f, 0x1.12076p-17f, 0x1.9261c4p-6f);
    // The derivative at -t is (1/2 - t / (2 t0)) (1 + 2 y)^-8, which is 0 at t0, the minimum of gelu.
    V y = t * fma(odd, t, even);
    y = fma(y, y, y);
    y = fma(y + y, y, y);
    y = fma(V(4.0f) * y, y, y);  // (1 + 8 y)^2 = 1 + 16 y
    const V left = fma(t, V(-0x1.54851ap-1f), V(0.5f)) / fma(V(16.0f), y, one);
    return select(x > V(0.0f), one - left, left);
  } else {
    const V b = at_most(V(64.0f), at_least(V(-64.0f), x));
    const V share = V(0.5f) * (V(1.0f) + erf(b * V(impl::root_half)));
    return fma(b * V(impl::density), exp(V(-0.5f) * b * b), share);
  }
}

}  // namespace tern::math::inline TERN_ISA
