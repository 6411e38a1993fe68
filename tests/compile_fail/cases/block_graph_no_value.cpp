// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a value that no block has given
// error: network: sum: add: the second operand is no value of this graph [block_graph_no_value.cpp:
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) {
    value y;
    return g.add("sum", x, y);
  }
};
using net = network<body, sample_shape::image(5, 8, 8), reference>;
static_assert(net::parameters >= 0);
