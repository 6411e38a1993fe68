// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: shared: it must be part of a sequence, residual, gate, concat, checkpoint or graph
#include "tern/blocks.hpp"

using namespace tern;
using look = shared<conv2d<conv2d_config{.out = 4}>>;
using net = network<non_local<look, look, look>, sample_shape::image(4, 8, 8), reference>;
static_assert(net::parameters >= 0);
