// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a block of a graph that is not listed
// error: network: body: a block is used that is not listed: the struct that has `define` must list it,
// error: as in `using blocks = tern::block_list<my_block>;` [block_graph_block_not_listed.cpp:11]
#include "tern/blocks.hpp"

using namespace tern;
struct other {
  static constexpr value define(graph& g, value x) { return g.block<repeat<2, residual<skip>>>("body", x); }
};
using net = network<other, sample_shape::image(2, 4, 4), reference>;
static_assert(net::parameters >= 0);
