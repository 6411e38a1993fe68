// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: every matrix must have rank 2, or rank 3 (batch, rows, columns) where .batch is not 1
#include "tests/compile_fail/tensors.hpp"

void f(const tern::kernel<tern::matmul<>, tern::reference>& k, tern::view<const float, tern::dims<3>> x) { k(x, b, c); }
