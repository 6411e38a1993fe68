// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv1d: slope has 3 axes: it must be (out)
#include "tern/reference.hpp"

using op =
    tern::conv1d<tern::conv1d_config{.in = 3, .out = 4, .rule = tern::padding::causal, .act = tern::activation::prelu}>;
using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;

void f(signal x, tern::view<float, tern::dims<3>> w, signal slope, signal y, tern::view<float, tern::dims<1>> history) {
  tern::kernel<op, tern::reference>{}.stream(x, w, slope, y, history);
}
