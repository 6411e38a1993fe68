// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a function of five operands
// error: map_of: the function must take 1 to 4 numbers or vectors V: V operator()(V a) const
#include "tern/simd.hpp"

struct five {
  template <class V>
  TERN_FN V operator()(V a, V b, V c, V d, V e) const {
    return a + b + c + d + e;
  }
};

using matrix = tern::view<float, tern::dims<2>>;
void f(matrix x, matrix y) {
  const tern::kernel<tern::map_of<five>, tern::simd<>> k;
  k(x, x, x, x, x, y);
}
