// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: branches of other extents
// error: network: 0: concat: all blocks must give samples of the same extents: 1x2x2 and 1x4x4
#include "tern/blocks.hpp"

using namespace tern;
using net =
    network<concat<max_pool2d<pool2d_config{.kernel = 2, .stride = 2}>, skip>, sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
