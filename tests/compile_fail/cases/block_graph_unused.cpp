// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a value that nobody reads
// error: network: side: nothing reads its result
#include "tern/blocks.hpp"

using namespace tern;
struct forgetful {
  static constexpr value define(graph& g, value x) {
    g.conv2d("side", {.out = 4}, x);
    return g.conv2d("main", {.out = 4}, x);
  }
};
using net = network<forgetful, sample_shape::image(2, 4, 4), reference>;
static_assert(net::parameters >= 0);
