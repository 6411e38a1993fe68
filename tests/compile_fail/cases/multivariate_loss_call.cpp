// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: multivariate_gaussian_nll: the call takes (x, target, losses, total); total is taken if .reduce is not none
#include "tern/reference.hpp"
#include "tests/compile_fail/tensors.hpp"

using namespace tern;
void f() { kernel<multivariate_gaussian_nll<2>, reference>{}(a, b, c); }
