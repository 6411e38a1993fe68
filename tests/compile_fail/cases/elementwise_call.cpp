// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: elementwise: the call takes (x, scale, bias, residual, slope, y); scale is taken if .scale is set,
// error: bias if .bias is set, residual if .residual is set, slope if .act is prelu
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows x, rows y) {
  tern::kernel<tern::elementwise<tern::elementwise_config{.bias = true}>, tern::reference>{}(x, y);
}
