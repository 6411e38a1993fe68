// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: max_pool2d: .divisor goes with averages only
#include "tern/blocks.hpp"

using namespace tern;
using net = network<max_pool2d<pool2d_config{.kernel = 2, .divisor = 3}>, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
