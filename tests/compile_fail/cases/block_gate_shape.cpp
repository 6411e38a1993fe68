// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a gate whose block gives another shape
// error: gate: the block must give the shape of its input, or one number per channel
#include "tern/blocks.hpp"

using namespace tern;
using net = network<gate<conv2d<conv2d_config{.in = 4, .out = 6}>>, sample_shape::image(4, 8, 8), reference>;
static_assert(net::parameters >= 0);
