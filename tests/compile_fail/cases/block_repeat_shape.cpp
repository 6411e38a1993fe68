// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a repeated block that changes the shape
// error: repeat: the block must keep the shape of its input
#include "tern/blocks.hpp"

using namespace tern;
using net = network<repeat<2, matmul<matmul_config{.n = 3}>>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
