// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: max_pool2d: .batch must not be set: a network takes any number of samples
#include "tern/blocks.hpp"

using namespace tern;
using net = network<max_pool2d<pool2d_config{.kernel = {2, 2}, .batch = 4}>, sample_shape::image(1, 8, 8), reference>;
static_assert(net::parameters >= 0);
