// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: group_norm: .act must not be prelu: a norm takes no slopes, tern::elementwise after it does
#include "tern/blocks.hpp"

using namespace tern;
using net =
    network<group_norm<norm_config{.groups = 2, .act = activation::prelu}>, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
