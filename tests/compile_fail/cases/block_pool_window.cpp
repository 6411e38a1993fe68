// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a pool with a window larger than its input
// error: network: 0: max_pool2d: the window is larger than its input: x is 1x4x4 and y would be 1x0x0
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<max_pool2d<pool2d_config{.kernel = 5}>>, sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
