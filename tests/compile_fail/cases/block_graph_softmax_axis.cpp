// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an axis of a softmax that no sample has, in a graph
// error: network: odds: softmax: .axis must be between -4 and 3, as x is ?x8x4x4 [block_graph_softmax_axis.cpp:10]
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) { return g.softmax("odds", {.axis = 7}, x); }
};
using net = network<body, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
