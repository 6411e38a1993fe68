// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: the quotient of a picture and of a number per channel
// error: network: stage.ratio: both values must have one shape: 16x32x32 and 16x1x1
#include "tern/blocks.hpp"

using namespace tern;
struct normalised {
  static constexpr value define(graph& g, value x) {
    const auto names = g.inside("stage");
    return g.divide("ratio", x, g.global_avg_pool("mean", x));
  }
};
using net = network<normalised, sample_shape::image(16, 32, 32), reference>;
static_assert(net::parameters >= 0);
