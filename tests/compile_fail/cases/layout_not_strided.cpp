// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: a must be in a layout with strides
#include "tests/compile_fail/tensors.hpp"

void f(const tern::kernel<tern::matmul<>, tern::reference>& k,
       tern::view<const float, tern::dims<2>, tern::layout_channel_blocked<8>> x) {
  k(x, b, c);
}
