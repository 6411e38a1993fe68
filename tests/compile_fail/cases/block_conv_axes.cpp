// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a convolution of another rank in a network
// error: network: 0: conv1d: the op takes signals, of one axis: x is 1x4x4
#include "tern/blocks.hpp"

using namespace tern;
using net = network<conv1d<conv1d_config{.in = 1, .out = 8}>, sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
