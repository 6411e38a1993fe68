// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a window larger than an image of static extents
// error: conv2d: x is 1x3x4x4: on axis 0 the window reaches over 5 elements, more than the 4 there are with padding:
// error: there would be no result
#include "tern/reference.hpp"

using namespace tern;
using stem = conv2d<conv2d_config{.in = 3, .out = 4, .kernel = 5}>;
using picture = view<float, extents<1, 3, 4, 4>, layout_channels_last>;
void f(picture x, view<float, dims<4>> w, view<float, dims<4>, layout_channels_last> y) {
  kernel<stem, reference>{}(x, w, y);
}
