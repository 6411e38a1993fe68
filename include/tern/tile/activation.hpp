// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/op/activation.hpp"

namespace tern::tile::inline TERN_ISA {

/// The activation A of every lane of x.
template <activation A, class V>
TERN_FN V activate(V x) {
  using math::select;
  if constexpr (A == activation::none)
    return x;
  else if constexpr (A == activation::relu)
    return select(V(0) > x, V(0), x);
}

}  // namespace tern::tile::inline TERN_ISA
