// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/erf.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/core/math/sigmoid.hpp"
#include "tern/core/math/tanh.hpp"
#include "tern/op/activation.hpp"

namespace tern::tile::inline TERN_ISA {

/// The activation A of every lane of x: a number or a vector of float or double. NaN stays NaN. relu, gelu and silu are
/// limits at infinity too: 0 (relu) or -0 at -inf, inf at inf.
/// Accuracy: docs/elementary-functions.md.
/// Cost: that of the elementary function; gelu 4 and silu 1 operations on the fma pipes more.
template <activation A, class V>
TERN_FN V activate(V x) {
  using math::product;
  using math::select;
  if constexpr (A == activation::none) {
    return x;
  } else if constexpr (A == activation::relu) {
    return select(V(0.0f) > x, V(0.0f), x);
  } else if constexpr (A == activation::sigmoid) {
    return math::sigmoid(x);
  } else if constexpr (A == activation::tanh) {
    return math::tanh(x);
  } else if constexpr (A == activation::gelu) {
    constexpr auto root_half = math::is_float<V> ? 0x1.6a09e6p-1f : 0x1.6a09e667f3bcdp-1;
    const V b = select(x < V(-16.0f), V(-16.0f), x);  // erf is -1 there: keeps 0 * inf away
    return product(V(0.5f) * b, V(1.0f) + math::erf(b * V(root_half)));
  } else {
    static_assert(A == activation::silu, "activate: unknown activation");
    const V b = select(x < V(-1024.0f), V(-1024.0f), x);  // sigmoid is 0 there: keeps 0 * inf away
    return product(b, math::sigmoid(b));
  }
}

}  // namespace tern::tile::inline TERN_ISA
