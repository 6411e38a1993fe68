// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: elementwise: backward_slope is of an op whose .act is prelu
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows dy, rows saved, tern::view<float, tern::dims<1>> dslope) {
  constexpr tern::elementwise_config cfg{.act = tern::activation::relu};
  tern::kernel<tern::elementwise<cfg>, tern::reference>{}.backward_slope(dy, saved, dslope);
}
