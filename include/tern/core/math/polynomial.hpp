// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::math::inline TERN_ISA {

/// (((highest x + c1) x + c2) x + ...): Horner's scheme, coefficients from the highest power down. Cost: one fma per
/// coefficient but the first, in a dependent chain.
template <class V, class T, class... C>
TERN_FN V polynomial(V x, T highest, C... lower) {
  V y(highest);
  ((y = fma(y, x, V(lower))), ...);
  return y;
}

}  // namespace tern::math::inline TERN_ISA
