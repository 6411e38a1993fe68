// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a pool with a window larger than its input
// error: network: 0: max_pool2d: on axis 0 the window reaches over 5 elements, more than the 4 there are with padding:
// error: there would be no result: x is 1x4x4
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<max_pool2d<pool2d_config{.kernel = 5}>>, sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
