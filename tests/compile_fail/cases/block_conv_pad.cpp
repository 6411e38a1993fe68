// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a negative padding of a convolution in a network
// error: network: 1: conv2d: every .pad must be at least 0
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<skip, conv2d<conv2d_config{.out = 4, .kernel = 3, .pad = -1}>>,
                    sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
