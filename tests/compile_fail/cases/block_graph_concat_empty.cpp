// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: all: a concat takes at least one value [block_graph_concat_empty.cpp:9]
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) { return g.concat("all"); }
};
using net = network<body, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
