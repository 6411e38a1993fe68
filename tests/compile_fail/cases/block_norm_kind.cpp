// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: groups of a layer norm in a network
// error: network: 0: layer_norm: .groups is for group norms
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<layer_norm<norm_config{.groups = 2}>>, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
