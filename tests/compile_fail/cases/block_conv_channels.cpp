// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: input channels of a convolution in a network
// error: network: 1: conv2d: .in must be the channels of the input: it is 4 and x is 8x4x4
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<conv2d<conv2d_config{.in = 1, .out = 8}>, conv2d<conv2d_config{.in = 4, .out = 8}>>,
                    sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
