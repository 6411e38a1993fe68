// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a softmax of positions without .axis
// error: network: odds: softmax: .axis must be given where samples have positions: 1 for channels, 2 for the first
// error: axis of positions [block_graph_softmax.cpp:11]
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) { return g.softmax("odds", {}, x); }
};
using net = network<body, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
