// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: graph: the layer of a listed block gives another shape than the graph takes it for: the block must have `static constexpr tern::sample_shape out(tern::sample_shape x)`, unless it keeps that of x
#include "tern/blocks.hpp"

using namespace tern;
struct wider {
  using blocks = block_list<pad_channels<1, 1>>;
  static constexpr value define(graph& g, value x) { return g.block<pad_channels<1, 1>>("pad", x); }
};
using net = network<wider, sample_shape::features(3), reference>;
static_assert(net::parameters >= 0);
