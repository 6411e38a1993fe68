// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a convolution larger than its input in a network
// error: network: 0: conv2d: the window is larger than its input: x is 1x4x4 and y would be 8x0x0
#include "tern/blocks.hpp"

using namespace tern;
using net =
    network<conv2d<conv2d_config{.in = 1, .out = 8, .kernel = {5, 5}}>, sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
