// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: two blocks of one name
// error: network: blocks.3.conv: another block has this name [block_graph_names.cpp:17]
#include "tern/blocks.hpp"

using namespace tern;
struct twins {
  static constexpr value define(graph& g, value x) {
    for (int i = 0; i < 2; ++i) {
      const auto names = g.inside("blocks", 3);
      // An activation of a convolution has its name, and may.
      x = i == 0 ? g.conv2d("conv", {.out = 4, .act = activation::gelu}, x) : g.batch_norm("norm", {}, x);
    }
    const auto names = g.inside("blocks", 3);
    return g.conv2d("conv", {.out = 4}, x);
  }
};
using net = network<twins, sample_shape::image(4, 8, 8), reference>;
static_assert(net::parameters >= 0);
