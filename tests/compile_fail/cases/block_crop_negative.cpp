// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: crop: every .crop must be at least 0
#include "tern/blocks.hpp"

using namespace tern;
using net = network<cropped<2, crop2d_config{.crop = -1}>, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
