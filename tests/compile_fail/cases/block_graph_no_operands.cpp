// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: product: multiply: takes a name and 2 values: 0 are given
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) { return g.multiply("product"); }
};
using net = network<body, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
