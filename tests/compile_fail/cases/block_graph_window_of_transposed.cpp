// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: up: conv_transpose2d: on axis 0 .crop and .crop_end remove 20 of 19 elements: there would be no
// error: result: 5x8x8
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) {
    return g.conv_transpose2d("up", {.out = 8, .kernel = 12, .crop = 10}, x);
  }
};
using net = network<body, sample_shape::image(5, 8, 8), reference>;
static_assert(net::parameters >= 0);
