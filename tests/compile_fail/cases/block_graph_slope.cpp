// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a negative slope of an activation in a graph
// error: network: act: elementwise: the slope of .act must be at least 0 and finite [block_graph_slope.cpp:10]
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) { return g.activate("act", leaky_relu(-0.5), x); }
};
using net = network<body, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
