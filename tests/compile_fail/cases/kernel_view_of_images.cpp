// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a matrix as the image of a convolution
// error: conv2d: x has 2 axes: it must be (n, in, spatial...), 4 axes
#include "tern/reference.hpp"

using namespace tern;
using stem = conv2d<conv2d_config{.in = 3, .out = 4}>;
void f(view<float, dims<2>> x, view<float, dims<4>> w, view<float, dims<4>, layout_channels_last> y) {
  kernel<stem, reference>{}(x, w, y);
}
