// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: space_to_depth2d: .block, 2, must divide extent 1 of the input: x is 1x4x5
#include "tern/blocks.hpp"

using namespace tern;
using net = network<space_to_depth2d<space_to_depth2d_config{.block = 2}>, sample_shape::image(1, 4, 5), reference>;
static_assert(net::parameters >= 0);
