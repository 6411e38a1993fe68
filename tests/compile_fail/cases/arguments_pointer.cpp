// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a pointer as a tensor
// error: matmul: argument 2 is a pointer: it must be a view or a container
#include "tern/reference.hpp"

using matrix = tern::view<float, tern::dims<2>>;

void f(matrix a, float* b, matrix c) { tern::kernel<tern::matmul<>, tern::reference>{}(a, b, c); }
