// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a pool of features
// error: network: 1: max_pool2d: the op takes images, of two axes: x is 16
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<flatten, max_pool2d<pool2d_config{.kernel = 2}>>, sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
