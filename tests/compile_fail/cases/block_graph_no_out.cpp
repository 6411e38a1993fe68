// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a convolution without .out in a graph
// error: network: stem: conv2d: .out must be at least 1 [block_graph_no_out.cpp:10]
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) { return g.conv2d("stem", {.kernel = 3}, x); }
};
using net = network<body, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
