// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: matmul: .m and .batch must not be set: a network takes any number of samples
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.m = 4, .n = 8}>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
