// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a matmul of images without a flatten
// error: network: 0: matmul: the op takes features: put a tern::flatten before it: x is 1x4x4
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = 2}>, sample_shape::image(1, 4, 4), reference>;
static_assert(net::parameters >= 0);
