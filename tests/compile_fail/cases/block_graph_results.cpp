// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: a graph of several results must be the whole network: inside of other blocks it has one
#include "tern/blocks.hpp"

using namespace tern;
struct heads {
  static constexpr std::array<value, 2> define(graph& g, value x) {
    return {g.matmul("a", {.n = 2}, x), g.matmul("b", {.n = 3}, x)};
  }
};
using net = network<sequence<heads, elementwise<elementwise_config{.act = activation::relu}>>,
                    sample_shape::features(3), reference>;
static_assert(net::parameters >= 0);
