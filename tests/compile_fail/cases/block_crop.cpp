// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a crop that leaves nothing
// error: network: 0: crop: nothing of an axis is left: x is 1x4x4 and y would be 1x0x0
#include "tern/blocks.hpp"

using namespace tern;
using net = network<cropped<2, crop2d_config{.crop = 2}>, sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
