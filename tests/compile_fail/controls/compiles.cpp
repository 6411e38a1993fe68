// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: this file should not compile
#include "tests/compile_fail/tensors.hpp"

void f(const tern::kernel<tern::matmul<>, tern::reference>& k) { k(a, b, c); }
