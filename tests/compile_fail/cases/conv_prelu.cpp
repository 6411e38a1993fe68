// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv1d: slope has 2 axes: it must be (1, out, results...), 3 axes, or (out)
#include "tern/reference.hpp"

using op = tern::conv1d<tern::conv1d_config{.in = 3, .out = 4, .act = tern::activation::prelu}>;
using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;

void f(signal x, tern::view<float, tern::dims<3>> w, tern::view<float, tern::dims<2>> slope, signal y) {
  tern::kernel<op, tern::reference>{}(x, w, slope, y);
}
