// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: matmul: an op with .residual is no block: use tern::residual
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = 4, .residual = true}>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
