// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a convolution larger than its input in a network
// error: network: 0: conv2d: on axis 0 the window reaches over 5 elements, more than the 4 there are with padding:
// error: there would be no result: x is 1x4x4
#include "tern/blocks.hpp"

using namespace tern;
using net =
    network<conv2d<conv2d_config{.in = 1, .out = 8, .kernel = {5, 5}}>, sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
