// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: layer_norm: backward_data takes (dy, x, scale, mean, rstd, dx); scale is taken if .scale is set
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using numbers = tern::view<float, tern::dims<1>>;

void f(rows dy, rows x, numbers n) {
  tern::kernel<tern::layer_norm<>, tern::reference>{}.backward_data(dy, x, n, n, dy);
}
