// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: elementwise: backward_data takes (dy, saved, scale, slope, dx); saved is taken if .act is set,
// error: scale if .scale is set, slope if .act is prelu
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows dy, rows dx) {
  using relu = tern::elementwise<tern::elementwise_config{.act = tern::activation::relu}>;
  tern::kernel<relu, tern::reference>{}.backward_data(dy, dx);
}
