// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: .k of a matmul must be the features that it is given
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = 2, .k = 3}>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
