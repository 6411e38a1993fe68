// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: conv2d: x is ?x1x8x8: extent 2 must be 16, as .extent says
#include "tern/blocks.hpp"

using namespace tern;
using net = network<conv2d<conv2d_config{.out = 8, .extent = 16}>, sample_shape::image(1, 8, 8), reference>;
static_assert(net::parameters >= 0);
