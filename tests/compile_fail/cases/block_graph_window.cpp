// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a window larger than the input in a graph
// error: network: stem: conv2d: on axis 0 the window reaches over 9 elements, more than the 8 there are with padding:
// error: there would be no result: 3x8x8 [block_graph_window.cpp:11]
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) { return g.conv2d("stem", {.out = 3, .kernel = 9}, x); }
};
using net = network<body, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
