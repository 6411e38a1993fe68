// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a function whose operator() is not const
// error: map_of: operator() of the function must be const
#include "tern/simd.hpp"

using namespace tern;
struct mine {
  template <class V>
  TERN_FN V operator()(V x) {
    return x + x;
  }
};
void f(view<const float, dims<2>> x, view<float, dims<2>> y) {
  const kernel<map_of<mine>, simd<>> k;
  k(x, y);
}
