// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: groups of a norm that do not divide the channels
// error: network: 0: group_norm: .groups, 4, must divide the channels: x is 6x4x4
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<group_norm<norm_config{.groups = 4}>>, sample_shape::image(6, 4, 4), reference>;
static_assert(net::parameters >= 0);
