// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv1d: stream takes (x, w, scale, bias, residual, slope, y, history); scale is taken if .scale is set, bias
// error: if .bias is set, residual if .residual is set, slope if .act is prelu
#include "tern/reference.hpp"

using op = tern::conv1d<tern::conv1d_config{.in = 3, .out = 4, .rule = tern::padding::causal}>;
using signal = tern::view<float, tern::dims<3>, tern::layout_channels_last>;

void f(signal x, tern::view<float, tern::dims<3>> w, signal y) { tern::kernel<op, tern::reference>{}.stream(x, w, y); }
