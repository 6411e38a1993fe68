// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: drop: the op must be a tern::dropout or tern::stochastic_depth
#include "tern/blocks.hpp"

using namespace tern;
using net = network<drop<10, matmul<matmul_config{.n = 4}>>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
