// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a trainer of a network of two inputs
// error: trainer: the network must have one input and one result: others are trained with their forward and backward
// error: passes
#include "tern/blocks.hpp"

using namespace tern;
struct sum {
  static constexpr value define(graph& g, value a, value b) { return g.add("sum", a, b); }
};
using net = network<sum, std::array{sample_shape::features(3), sample_shape::features(3)}, reference>;
using loss = squared_error<loss_config{.reduce = reduction::sum}>;
static_assert(trainer<net, loss, adam<>>::elements(1) > 0);
