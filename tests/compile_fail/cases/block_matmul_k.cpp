// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a matmul of another number of features
// error: network: 0: matmul: .k must be the features of the input: it is 3 and x is 4
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = 2, .k = 3}>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
