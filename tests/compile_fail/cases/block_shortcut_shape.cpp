// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: stored_coupling: F and the shortcut must give samples of one shape, and G must keep it
#include "tern/blocks.hpp"

using namespace tern;
using net = network<
    sequence<to_stream<>, stored_coupling<matmul<matmul_config{.n = 4}>, skip, pad_channels<0, 1>>, from_stream>,
    sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
