// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: too few elements for recompute
// error: network: recompute: no cut keeps only 8 elements of a sample: give it 64 at least
#include "tern/blocks.hpp"

using namespace tern;
using net = network<recompute<8, matmul<matmul_config{.n = 30}>, matmul<matmul_config{.n = 30}>>,
                    sample_shape::features(30), reference>;
static_assert(net::parameters >= 0);
