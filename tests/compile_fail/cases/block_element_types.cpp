// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: ops of two element types in a network
// error: network: 1: matmul has float64 elements and 0: matmul float32: all ops must have the same element type
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<matmul<matmul_config{.n = 3}>, matmul<matmul_config{.n = 3}, double>>,
                    sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
