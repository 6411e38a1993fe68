// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: images for a convolution of signals
// error: conv1d: x has 4 axes: it must be (n, in, spatial...), 3 axes
#include "tern/reference.hpp"

using op = tern::conv1d<tern::conv1d_config{.in = 3, .out = 4}>;
using picture = tern::view<float, tern::dims<4>, tern::layout_channels_last>;

void f(picture x, tern::view<float, tern::dims<3>> w, picture y) { tern::kernel<op, tern::reference>{}(x, w, y); }
