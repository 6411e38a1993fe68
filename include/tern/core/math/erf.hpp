// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/exp_parts.hpp"
#include "tern/core/math/polynomial.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::math::inline TERN_ISA {

/// The error function, for float, double and vectors of them. Odd, bit for bit; erf(+-inf) = +-1.
/// Accuracy: 1.139 ulp for float (all inputs), 1.14 ulp for double (docs/elementary-functions.md).
/// Cost: 24 operations on the fma pipes for float, 48 for double, and 2 comparisons.
template <class V>
TERN_FN V erf(V x) {
  constexpr scalar_of_t<V> limit = is_float<V> ? 4.0f : 6.0;  // 1 from here up
  const V a = abs(x), square = a * a, b = at_most(V(limit), a);
  V p, q;
  if constexpr (is_float<V>) {
    p = polynomial(square, -0x1.453aaep-11f, 0x1.49c9fep-8f, -0x1.b6f38ap-6f, 0x1.ce211cp-4f, -0x1.81270ap-2f,
                   0x1.06eba6p-3f);
    q = polynomial(b, 0x1.a58514p-13f, -0x1.955022p-9f, 0x1.6f5538p-6f, -0x1.ab5352p-4f, -0x1.46026cp-1f,
                   -0x1.20c06cp+0f, -0x1.18204ap-13f);
  } else {
    p = polynomial(square, -0x1.dbd1ea2615ac8p-31, 0x1.e517c13602f1bp-27, -0x1.5dca51bc861f9p-23, 0x1.b9c055a400d4cp-20,
                   -0x1.f4d00cfe7822bp-17, 0x1.f9a30f2ed5bb1p-14, -0x1.c02db35e6650dp-11, 0x1.565bcd0bae90ap-8,
                   -0x1.b82ce3127ababp-6, 0x1.ce2f21a042992p-4, -0x1.812746b0379e5p-2, 0x1.06eba8214db69p-3);
    q = polynomial(b, -0x1.e2e347d385f66p-43, 0x1.72c3f9f54b554p-37, -0x1.0c57aa0dc58c5p-32, 0x1.e6cb2ac7787aap-29,
                   -0x1.36152b8dd3f37p-25, 0x1.2653d8cdee6eep-22, -0x1.ae16bdcdeae05p-20, 0x1.eadc1d4e340ccp-18,
                   -0x1.b3b1efd4d716fp-16, 0x1.21c14c9a2822bp-14, -0x1.f6106000226fp-14, 0x1.351bf38b85faep-15,
                   0x1.1731d80843f1bp-11, -0x1.b18ba55b2cfa8p-10, 0x1.8341556e670e9p-13, 0x1.399445f6e2ed8p-6,
                   -0x1.a4f8a24fc807bp-4, -0x1.45f2ebb852dddp-1, -0x1.20dd76e4aea41p+0, 0x1.e39e357a38c06p-28);
  }
  const V small = fma(a, p, a);
  // from 0.875 up: 1 - exp(Q(a)), Q an approximation of log(1 - erf(a))
  const exp_parts<V> e(q);
  const V large = fma(-impl::power_of_two<V>(bits(e.marked)), e.significand(), V(1.0f));
  return with_sign(select(a < V(0.875f), small, large), x);
}

}  // namespace tern::math::inline TERN_ISA
