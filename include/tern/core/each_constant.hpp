// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>
#include <utility>

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA {

/// Calls f(0), f(1), ..., f(N - 1) with compile-time constants. Arrays of vectors that they index stay in registers.
template <int N, class F>
TERN_INLINE void each_constant(F f) {
  // Few calls are written out: during compilation, a lambda around them would hold a copy of all code inlined into
  // them.
  if constexpr (N <= 4) {
    if constexpr (N > 0) f(std::integral_constant<int, 0>());
    if constexpr (N > 1) f(std::integral_constant<int, 1>());
    if constexpr (N > 2) f(std::integral_constant<int, 2>());
    if constexpr (N > 3) f(std::integral_constant<int, 3>());
  } else {
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      (f(std::integral_constant<int, I>()), ...);
    }(std::make_integer_sequence<int, N>());
  }
}

}  // namespace tern::inline TERN_ISA
