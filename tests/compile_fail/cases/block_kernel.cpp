// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: this is not a block: it must be an op such as tern::conv2d<cfg>
// mistake: a kernel as a block
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<kernel<conv2d<conv2d_config{.in = 3, .out = 4}>, reference>>, sample_shape::image(3, 8, 8),
                    reference>;
static_assert(net::parameters >= 0);
