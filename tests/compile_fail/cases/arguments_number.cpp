// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a number as a tensor
// error: matmul: argument 1 is a number: it must be a view or a container
#include "tern/reference.hpp"

using matrix = tern::view<float, tern::dims<2>>;

void f(matrix b, matrix c) { tern::kernel<tern::matmul<>, tern::reference>{}(2.0f, b, c); }
