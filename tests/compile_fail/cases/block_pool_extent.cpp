// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: max_pool2d: x is ?x3x8x8: extent 2 must be 16, as .extent says
#include "tern/blocks.hpp"

using namespace tern;
using net =
    network<sequence<max_pool2d<pool2d_config{.kernel = 2, .extent = 16}>>, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
