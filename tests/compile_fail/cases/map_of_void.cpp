// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: map_of: the function must return a number or vector V: V operator()(V a) const
#include "tern/simd.hpp"

using namespace tern;
struct mine {
  template <class V>
  TERN_FN void operator()(V) const {}
};
void f(view<const float, dims<2>> x, view<float, dims<2>> y) {
  const kernel<map_of<mine>, simd<>> k;
  k(x, y);
}
