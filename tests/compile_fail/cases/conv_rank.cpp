// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: images: x and y must have the rank (sample, channel, spatial...)
#include "tern/reference.hpp"

using op = tern::conv1d<tern::conv1d_config{.in = 3, .out = 4}>;
using picture = tern::view<float, tern::dims<4>, tern::layout_channels_last>;

void f(picture x, tern::view<float, tern::dims<3>> w, picture y) { tern::kernel<op, tern::reference>{}(x, w, y); }
