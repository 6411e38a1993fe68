// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a function of float alone
// error: map_of: the function must take vectors, too: template <class V> V operator()(V a) const
// lines: 40, as vectors are those of a problem deep in the call
// flags: -march=x86-64-v3
#include "tern/simd.hpp"

using namespace tern;
struct mine {
  float operator()(float x) const { return x + x; }
};
void f(view<const float, dims<2>> x, view<float, dims<2>> y) {
  const kernel<map_of<mine>, simd<>> k;
  k(x, y);
}
