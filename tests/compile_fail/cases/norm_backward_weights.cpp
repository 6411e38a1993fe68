// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: layer_norm: backward_weights takes (dy, x, mean, rstd, dscale), and on demand dshift
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using numbers = tern::view<float, tern::dims<1>>;

void f(rows dy, rows x, numbers n) {
  tern::kernel<tern::layer_norm<>, tern::reference>{}.backward_weights(dy, x, n, n);
}
