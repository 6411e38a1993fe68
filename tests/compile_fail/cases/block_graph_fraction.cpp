// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a rate of a dropout as a fraction
// error: network: drop: the rate of a dropout is a whole number of percent: 20, not 0.2
// error: [block_graph_fraction.cpp:11]
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) { return g.dropout("drop", 0.2, x); }
};
using net = network<body, sample_shape::features(3), reference>;
static_assert(net::parameters >= 0);
