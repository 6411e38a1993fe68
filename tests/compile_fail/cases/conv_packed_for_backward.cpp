// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv1d: w was packed for another pass
#include "tern/reference.hpp"

using op = tern::conv1d<tern::conv1d_config{.in = 3, .out = 4}>;
using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;

void f(signal x, tern::view<float, tern::dims<3>> w, signal y) {
  const tern::kernel<op, tern::reference> k;
  k(x, k.pack<tern::pass::backward_data>(w), y);
}
