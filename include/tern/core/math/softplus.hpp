// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/log.hpp"
#include "tern/core/math/primitives.hpp"

namespace tern::math::inline TERN_ISA {

/// log(1 + exp(x)), for float, double and vectors of them. softplus(-inf) = 0, softplus(inf) = inf; underflows through
/// subnormal numbers to 0.
/// Accuracy: docs/elementary-functions.md.
/// Cost: those of exp and log, 5 operations on the fma pipes, a division and 1 comparison.
template <class V>
TERN_FN V softplus(V x) {
  // max(x, 0) + log(1 + u) with u = exp(-|x|) <= 1; adds the rounding error of 1 + u, relative to 1 + u
  const V u = exp(-abs(x)), w = V(1.0f) + u, rest = u - (w - V(1.0f));
  const V logarithm = log(w) + rest / w;
  return at_least(V(0.0f), x) + logarithm;
}

}  // namespace tern::math::inline TERN_ISA
