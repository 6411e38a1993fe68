// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: backward_data takes (dy, b, dx)
#include "tests/compile_fail/tensors.hpp"

void f(const tern::kernel<tern::matmul<>, tern::reference>& k) { k.backward_data(a, b, residual, c); }
