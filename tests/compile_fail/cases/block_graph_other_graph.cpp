// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: `define` is no constant: it must be constexpr and return a value of its graph
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static constexpr value define(graph& g, value x) {
    graph other;
    return g.add("add", x, other.conv2d("conv", {.out = 3}, {}));
  }
};
using net = network<wrong, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
