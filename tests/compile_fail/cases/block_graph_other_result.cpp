// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a second graph in define
// error: network: the result is a value of another graph
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) {
    static_cast<void>(g);
    graph h;
    return h.conv2d("conv", {.out = 2}, x);
  }
};
using net = network<body, sample_shape::image(5, 8, 8), reference>;
static_assert(net::parameters >= 0);
