// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a block without a name
// error: network: stage.1: a block must have a name
#include "tern/blocks.hpp"

using namespace tern;
struct unnamed {
  static constexpr value define(graph& g, value x) {
    const auto names = g.inside("stage", 1);
    return g.conv2d("", {.out = 4}, x);
  }
};
using net = network<unnamed, sample_shape::image(2, 4, 4), reference>;
static_assert(net::parameters >= 0);
