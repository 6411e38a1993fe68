// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: one shape for a graph of two inputs
// error: network: a graph of several inputs needs a shape for each: std::array{shape, shape}; inside of other blocks
// error: a graph has one
#include "tern/blocks.hpp"

using namespace tern;
struct sum {
  static constexpr value define(graph& g, value a, value b) { return g.add("sum", a, b); }
};
using net = network<sum, sample_shape::features(3), reference>;
static_assert(net::parameters >= 0);
