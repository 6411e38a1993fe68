// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: this is not a block: its `define` must be `static constexpr tern::value define(tern::graph&,
// error: tern::value)`
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static constexpr void define(graph& g, value x) { g.conv2d("conv", {.out = 4}, x); }
};
using net = network<wrong, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
