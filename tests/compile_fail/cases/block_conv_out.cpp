// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a convolution without .out
// error: network: 0: conv2d: .out must be at least 1
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<conv2d<conv2d_config{.kernel = 3}>>, sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
