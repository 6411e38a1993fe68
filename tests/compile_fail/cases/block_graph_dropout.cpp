// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a rate of a dropout above 100 percent in a graph
// error: network: drop: the rate of a dropout must be at least 0 and less than 100 percent
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static constexpr value define(graph& g, value x) { return g.dropout("drop", 100, x); }
};
using net = network<wrong, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
