// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: images whose channels are not next to each other
// error: conv2d: x must have its channels next to each other: use tern::layout_channels_last or
// error: tern::layout_channel_blocked, which tern::reorder brings tensors into
#include "tern/reference.hpp"

using namespace tern;
using stem = conv2d<conv2d_config{.in = 3, .out = 4}>;
void f(view<float, dims<4>> x, view<float, dims<4>> w, view<float, dims<4>> y) { kernel<stem, reference>{}(x, w, y); }
