// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: pad: the layer of the block makes 5 and the graph takes it for 3: the block must have `static
// error: constexpr tern::sample_shape out(tern::sample_shape x)`, unless it keeps that of x; an op is
// error: written g.conv2d(...) and the like [block_graph_out.cpp:12]
#include "tern/blocks.hpp"

using namespace tern;
struct wider {
  using blocks = block_list<pad_channels<1, 1>>;
  static constexpr value define(graph& g, value x) { return g.block<pad_channels<1, 1>>("pad", x); }
};
using net = network<wider, sample_shape::features(3), reference>;
static_assert(net::parameters >= 0);
