// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv1d: x must have its channels next to each other: use tern::layout_channels_last or
// error: tern::layout_channel_blocked, which tern::reorder brings tensors into
#include "tern/reference.hpp"

using op = tern::conv1d<tern::conv1d_config{.in = 3, .out = 4}>;
using signal = tern::view<float, tern::dims<3>>;

void f(signal x, signal w, signal y) { tern::kernel<op, tern::reference>{}(x, w, y); }
