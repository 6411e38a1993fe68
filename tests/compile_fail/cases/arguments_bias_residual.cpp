// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: the call takes (a, b, bias, residual, slope, c); bias is taken if .bias is set, residual if .residual
// error: is set, slope if .act is prelu
#include "tests/compile_fail/tensors.hpp"

struct op : tern::matmul<tern::matmul_config{.bias = true, .residual = true}> {};

void f(const tern::kernel<op, tern::reference>& k) { k(a, b, bias, c); }
