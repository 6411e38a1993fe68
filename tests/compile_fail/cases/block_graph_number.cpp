// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a number as an operand of a join
// error: network: m: maximum: operands must be values of the graph: for a number take a tern::map_of
// error: [block_graph_number.cpp:10]
#include "tern/blocks.hpp"

struct clipped {
  static constexpr tern::value define(tern::graph& g, tern::value x) { return g.maximum("m", x, 0.0); }
};
using net = tern::network<clipped, tern::sample_shape::features(4), tern::reference>;
const tern::index_t parameters = net::parameters;
