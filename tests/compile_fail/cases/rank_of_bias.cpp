// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a matrix as a bias
// error: matmul: bias has 2 axes: it must be (n)
#include "tests/compile_fail/tensors.hpp"

struct op : tern::matmul<tern::matmul_config{.m = 4, .n = 8, .k = 16, .bias = true, .residual = true}> {};

void f(const tern::kernel<op, tern::reference>& k) { k(a, b, residual, residual, c); }
