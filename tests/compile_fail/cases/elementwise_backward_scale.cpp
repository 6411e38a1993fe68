// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: elementwise: backward_scale takes (dy, saved, slope, x, dscale); saved is taken if .act is set,
// error: slope if .act is prelu
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows dy, rows x, tern::view<float, tern::dims<1>> dscale) {
  constexpr tern::elementwise_config cfg{.scale = true, .act = tern::activation::relu};
  tern::kernel<tern::elementwise<cfg>, tern::reference>{}.backward_scale(dy, x, dscale);
}
