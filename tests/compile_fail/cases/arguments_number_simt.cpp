// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a number as a scale under simt
// error: elementwise: scale is a number: under this policy it must be a view of memory that the device can read
#include "tern/simt.hpp"

using matrix = tern::view<float, tern::dims<2>>;

void f(matrix x, matrix y) {
  tern::kernel<tern::elementwise<tern::elementwise_config{.scale = true}>, tern::simt<>>{}(x, 0.5f, y);
}
