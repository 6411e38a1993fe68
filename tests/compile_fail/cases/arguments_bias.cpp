// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: the call takes (a, b, bias, c), because .bias is set
#include "tests/compile_fail/tensors.hpp"

struct op : tern::matmul<tern::matmul_config{.bias = true}> {};

void f(const tern::kernel<op, tern::reference>& k) { k(a, b, c); }
