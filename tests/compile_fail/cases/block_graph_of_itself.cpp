// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: again: a block must not contain itself [block_graph_of_itself.cpp:10]
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  using blocks = block_list<wrong>;
  static constexpr value define(graph& g, value x) { return g.block<wrong>("again", x); }
};
using net = network<wrong, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
