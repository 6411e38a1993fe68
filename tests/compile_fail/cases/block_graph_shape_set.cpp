// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: conv: conv2d: the input is 5x8x8, but its .shape was set to 7x8x8
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) {
    x.shape = sample_shape::image(7, 8, 8);
    return g.conv2d("conv", {.out = 2}, x);
  }
};
using net = network<body, sample_shape::image(5, 8, 8), reference>;
static_assert(net::parameters >= 0);
