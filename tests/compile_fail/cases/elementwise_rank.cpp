// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: elementwise: scale is ?x?x? and x is ?x?: their ranks must be equal, or scale be (channels)
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows x, rows y, tern::view<float, tern::dims<3>> scale) {
  tern::kernel<tern::elementwise<tern::elementwise_config{.scale = true}>, tern::reference>{}(x, scale, y);
}
