// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: elementwise: scale, bias, slope and their gradients must have one element per channel, or the rank of x
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows x, rows y, tern::view<float, tern::dims<3>> scale) {
  tern::kernel<tern::elementwise<tern::elementwise_config{.scale = true}>, tern::reference>{}(x, scale, y);
}
