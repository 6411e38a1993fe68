// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a bias of another size
// error: matmul: bias is 9: n must be 8, as .n says
#include "tests/compile_fail/tensors.hpp"

struct op : tern::matmul<tern::matmul_config{.m = 4, .n = 8, .k = 16, .bias = true, .residual = true}> {};

void f(const tern::kernel<op, tern::reference>& k, tern::view<const float, tern::extents<9>> x) {
  k(a, b, x, residual, c);
}
