// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a negative epsilon of a norm in a network
// error: network: 1: batch_norm: .epsilon must be positive and finite
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<skip, batch_norm<norm_config{.epsilon = -1.0}>>, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
