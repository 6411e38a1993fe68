// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a number in the place of an option
// error: layer_norm: argument 5 is a number: it must be a view or a container, or a tern::epsilon
#include "tern/reference.hpp"

using matrix = tern::view<float, tern::dims<2>>;
using numbers = tern::view<float, tern::dims<1>>;

void f(matrix x, numbers scale, numbers shift, matrix y) {
  tern::kernel<tern::layer_norm<>, tern::reference>{}(x, scale, shift, y, 1e-3);
}
