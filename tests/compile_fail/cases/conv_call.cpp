// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: convolution: the call takes (x, w, y), with scale, bias, residual and slope in this order before y where
// error: .scale, .bias and .residual are set and .act is prelu
#include "tern/reference.hpp"

using op = tern::conv1d<tern::conv1d_config{.in = 3, .out = 4, .bias = true}>;
using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;

void f(signal x, tern::view<float, tern::dims<3>> w, signal y) { tern::kernel<op, tern::reference>{}(x, w, y); }
