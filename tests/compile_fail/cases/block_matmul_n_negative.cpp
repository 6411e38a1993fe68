// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: matmul: .n must be given and at least 1: it is the number of results of a sample
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = -4}>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
