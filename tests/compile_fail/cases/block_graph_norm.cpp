// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a negative epsilon of a norm in a graph
// error: network: norm: batch_norm: .epsilon must be positive and finite [block_graph_norm.cpp:10]
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) { return g.batch_norm("norm", {.epsilon = -1.0}, x); }
};
using net = network<body, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
