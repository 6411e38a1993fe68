// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: norm: numbers of channels and groups must be in a layout with strides
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using numbers = tern::view<float, tern::dims<2>, tern::layout_channel_blocked<8>>;

void f(rows x, numbers n) {
  constexpr tern::norm_config two{.groups = 2, .scale = false, .shift = false};
  tern::kernel<tern::group_norm<two>, tern::reference>{}(x, x, n, n);
}
