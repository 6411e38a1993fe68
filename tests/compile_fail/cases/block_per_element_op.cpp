// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: per_element: the op must be a tern::elementwise
#include "tern/blocks.hpp"

using namespace tern;
using net = network<per_element<conv2d<conv2d_config{.in = 1, .out = 8}>>, sample_shape::image(1, 8, 8), reference>;
static_assert(net::parameters >= 0);
