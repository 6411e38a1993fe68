// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: branches of another shape in a residual block
// error: residual: both branches must give samples of one shape: give it a shortcut that does
#include "tern/blocks.hpp"

using namespace tern;
using net = network<residual<conv2d<conv2d_config{.in = 1, .out = 8}>>, sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
