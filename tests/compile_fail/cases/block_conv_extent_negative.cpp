// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: conv2d: every .extent must be at least 0 or tern::dynamic
#include "tern/blocks.hpp"

using namespace tern;
using net = network<conv2d<conv2d_config{.out = 8, .extent = -5}>, sample_shape::image(1, 8, 8), reference>;
static_assert(net::parameters >= 0);
