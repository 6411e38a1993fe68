// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: own: batch_norm: .epsilon must be positive and finite [block_graph_listed_norm.cpp:11]
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  using bad = batch_norm<norm_config{.epsilon = -1.0}>;
  using blocks = block_list<bad>;
  static constexpr value define(graph& g, value x) { return g.block<bad>("own", x); }
};
using net = network<body, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
