// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv2d: w is 3x3x4x3: in/groups must be 3, as .in / .groups says
#include "tern/reference.hpp"

using op = tern::conv2d<tern::conv2d_config{.in = 3, .out = 4, .kernel = {3, 3}, .pad = {1, 1}}>;
template <tern::index_t... E>
using image = tern::view<float, tern::extents<E...>, tern::layout_channels_last>;

void f(image<2, 3, 8, 8> x, tern::view<float, tern::extents<3, 3, 4, 3>> w, image<2, 4, 8, 8> y) {
  tern::kernel<op, tern::reference>{}(x, w, y);
}
