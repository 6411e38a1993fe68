// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: .in of a convolution must be the channels of the samples that it is given
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<conv2d<conv2d_config{.in = 1, .out = 8}>, conv2d<conv2d_config{.in = 4, .out = 8}>>,
                    sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
