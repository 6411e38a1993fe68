// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: conv_transpose2d: on axis 0 .crop and .crop_end remove 18 of 10 elements: there would be no
// error: result: x is 1x8x8
#include "tern/blocks.hpp"

using namespace tern;
using net = network<conv_transpose2d<conv_transpose2d_config{.out = 8, .kernel = 3, .crop = 9}>,
                    sample_shape::image(1, 8, 8), reference>;
static_assert(net::parameters >= 0);
