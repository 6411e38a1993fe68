// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: the maximum of a matrix and of one with another number of columns
// error: maximum: b is 4x5 and a is 4x6: their shapes must be equal
#include "tern/reference.hpp"

using matrix = tern::view<float, tern::extents<4, 6>>;
using narrow = tern::view<float, tern::extents<4, 5>>;

void f(matrix a, narrow b, matrix y) { tern::kernel<tern::maximum<>, tern::reference>{}(a, b, y); }
