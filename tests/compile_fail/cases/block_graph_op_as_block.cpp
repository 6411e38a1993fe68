// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an op as a block of a graph
// error: network: conv: an op is added by its own function: write g.conv2d(...) [block_graph_op_as_block.cpp:
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) { return g.block<conv2d<conv2d_config{.out = 3}>>("conv", x); }
};
using net = network<body, sample_shape::image(5, 8, 8), reference>;
static_assert(net::parameters >= 0);
