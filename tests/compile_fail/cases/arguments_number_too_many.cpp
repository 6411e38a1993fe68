// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a number for a scale that the config does not have
// error: elementwise: the call takes (x, scale, bias, residual, slope, y); scale is taken if .scale is set
#include "tern/reference.hpp"

using matrix = tern::view<float, tern::dims<2>>;

void f(matrix x, matrix y) { tern::kernel<tern::elementwise<>, tern::reference>{}(x, 0.5f, y); }
