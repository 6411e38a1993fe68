// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 2: all inputs of a shared block must have one shape: 4x8x8 and 4x6x6
#include "tern/blocks.hpp"

using namespace tern;
struct look : conv2d<conv2d_config{.out = 4, .kernel = {3, 3}}> {};
using net = network<sequence<skip, shared<look>, shared<look>>, sample_shape::image(4, 8, 8), reference>;
static_assert(net::parameters >= 0);
