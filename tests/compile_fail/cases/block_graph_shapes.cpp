// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: values of two shapes that are added
// error: network: stage.1.sum: values that are added must have one shape: 64x32x32 and 63x32x32
#include "tern/blocks.hpp"

using namespace tern;
struct branches {
  static constexpr value define(graph& g, value x) {
    const auto names = g.inside("stage", 1);
    const value a = g.conv2d("conv", {.out = 64}, x);
    return g.add("sum", a, g.conv2d("short", {.out = 63}, x));
  }
};
using net = network<branches, sample_shape::image(16, 32, 32), reference>;
static_assert(net::parameters >= 0);
