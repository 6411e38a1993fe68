// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a tensor of another element type
// error: matmul: b must have the element type of the op
#include "tests/compile_fail/tensors.hpp"

void f(const tern::kernel<tern::matmul<>, tern::reference>& k, tern::view<const double, tern::dims<2>> x) {
  k(a, x, c);
}
