// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: weights that were packed for another convolution
// error: conv1d: w was packed for another op or policy
#include "tern/reference.hpp"

using op = tern::conv1d<tern::conv1d_config{.in = 3, .out = 4}>;
using other = tern::conv1d<tern::conv1d_config{.in = 3, .out = 4, .bias = true}>;
using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;

void f(signal x, tern::view<float, tern::dims<3>> w, signal y) {
  tern::kernel<op, tern::reference>{}(x, tern::kernel<other, tern::reference>{}.pack(w), y);
}
