// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a tensor of three axes as a matrix
// error: matmul: a has 3 axes: it must be (m, k)
#include "tests/compile_fail/tensors.hpp"

void f(const tern::kernel<tern::matmul<>, tern::reference>& k, tern::view<const float, tern::dims<3>> x) { k(x, b, c); }
