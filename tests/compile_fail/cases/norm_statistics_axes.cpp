// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: layer_norm: mean has 3 axes: it must be (n, 1), or (n)
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using numbers = tern::view<float, tern::dims<1>>;

void f(rows x, numbers n, tern::view<float, tern::dims<3>> mean) {
  tern::kernel<tern::layer_norm<>, tern::reference>{}(x, n, n, x, mean, n);
}
