// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: `define` is no constant: it must be constexpr and return a value of its graph
// mistake: a define that is not constexpr
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static value define(graph& g, value x) { return g.conv2d("conv", {.out = 4}, x); }
};
using net = network<wrong, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
