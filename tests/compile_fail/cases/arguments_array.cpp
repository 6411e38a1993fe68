// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a C array of arrays as a matrix
// error: matmul: argument 1 is an array of arrays: it must be a view or a container
#include "tern/reference.hpp"

using matrix = tern::view<float, tern::dims<2>>;

float a[2][3];
void f(matrix b, matrix c) { tern::kernel<tern::matmul<>, tern::reference>{}(a, b, c); }
