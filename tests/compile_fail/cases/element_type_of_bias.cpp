// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: bias must have the element type of the op
#include "tests/compile_fail/tensors.hpp"

struct op : tern::matmul<tern::matmul_config{.m = 4, .n = 8, .k = 16, .bias = true, .residual = true}> {};

void f(const tern::kernel<op, tern::reference>& k, tern::view<const double, tern::dims<1>> x) {
  k(a, b, x, residual, c);
}
