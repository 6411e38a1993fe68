// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an extent of a sample that only the run knows
// error: network: every extent of a sample must be a number of at least 1, and it must be no stream
#include "tern/blocks.hpp"

using namespace tern;
using net = network<conv2d<conv2d_config{.out = 4}>, sample_shape::image(1, dynamic, 4), reference>;
static_assert(net::parameters >= 0);
