// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: heads that do not divide the channels
// error: network: look: the number of heads, 3, must divide the channels of queries and values: 8x4x4
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static constexpr value define(graph& g, value x) { return g.attention("look", 3, x, x, x); }
};
using net = network<wrong, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
