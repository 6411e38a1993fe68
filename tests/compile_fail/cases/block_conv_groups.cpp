// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: groups that do not divide the inferred channels
// error: network: 0: conv2d: .groups, 2, must divide the channels of the input: x is 3x4x4
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<conv2d<conv2d_config{.out = 4, .groups = 2}>>, sample_shape::image(3, 4, 4), reference>;
static_assert(net::parameters >= 0);
