// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a negative slope of an activation in a network
// error: network: 0.0.1: elementwise: the slope of .act must be at least 0 and finite
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<residual<sequence<skip, elementwise<elementwise_config{.act = elu(-0.5)}>>>>,
                    sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
