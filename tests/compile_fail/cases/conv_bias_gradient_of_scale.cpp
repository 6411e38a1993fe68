// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: convolution: there is no bias gradient where .scale is set
#include "tern/reference.hpp"

using op = tern::conv1d<tern::conv1d_config{.in = 3, .out = 4, .scale = true}>;
using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;

void f(signal x, tern::view<float, tern::dims<3>> dw, signal dy, tern::view<float, tern::dims<1>> dbias) {
  tern::kernel<op, tern::reference>{}.backward_weights(x, dy, dw, dbias);
}
