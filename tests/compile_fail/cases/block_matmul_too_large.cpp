// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: matmul: there must be at most 2^45 weights
#include "tern/blocks.hpp"

using namespace tern;
using net =
    network<sequence<matmul<matmul_config{.n = 1000000000000}>>, sample_shape::features(1000000000000), reference>;
static_assert(net::parameters >= 0);
