// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: twice: the function of a shared part must take a value and return one
// error: [block_graph_shared_void.cpp:12]
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static constexpr value define(graph& g, value x) {
    const auto part = [&](value v) { g.conv2d("conv", {.out = 4}, v); };
    return g.shared("twice", x, part);
  }
};
using net = network<wrong, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
