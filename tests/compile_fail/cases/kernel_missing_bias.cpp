// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a bias that the config does not say
// error: matmul: the call takes (a, b, bias, residual, slope, c), of which bias is given exactly where .bias is set
// error: and residual where .residual is and slope where .act is prelu
#include "tests/compile_fail/tensors.hpp"

using op = tern::matmul<tern::matmul_config{.bias = true}>;
void f(const tern::kernel<op, tern::reference>& k) { k(a, b, c); }
