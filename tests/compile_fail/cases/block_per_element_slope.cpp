// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: elementwise: the slope of .act must be at least 0 and finite
#include "tern/blocks.hpp"

using namespace tern;
using net = network<per_element<elementwise<elementwise_config{.act = leaky_relu(-0.5)}>>, sample_shape::image(8, 4, 4),
                    reference>;
static_assert(net::parameters >= 0);
