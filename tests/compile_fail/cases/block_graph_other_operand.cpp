// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: sum: add: the second operand is a value of another graph [block_graph_other_operand.cpp:
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) {
    graph h;
    return g.add("sum", x, h.conv2d("conv", {.out = 5}, x));
  }
};
using net = network<body, sample_shape::image(5, 8, 8), reference>;
static_assert(net::parameters >= 0);
