// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an op of another rank in a graph
// error: network: dense: matmul: the op takes features: put a g.flatten before it: 4x4x4
#include "tern/blocks.hpp"

using namespace tern;
struct flat {
  static constexpr value define(graph& g, value x) {
    return g.matmul("dense", {.n = 3}, g.conv2d("conv", {.out = 4}, x));
  }
};
using net = network<flat, sample_shape::image(2, 4, 4), reference>;
static_assert(net::parameters >= 0);
