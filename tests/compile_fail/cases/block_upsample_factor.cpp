// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: upsample2d: every .factor must be at least 1
#include "tern/blocks.hpp"

using namespace tern;
using net = network<upsample2d<upsample2d_config{.factor = 0}>, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
