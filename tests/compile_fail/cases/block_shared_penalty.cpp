// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: guess.unsure: a block that adds to the loss must not be shared
#include "tern/blocks.hpp"

using namespace tern;
struct twice {
  using blocks = block_list<bayesian<matmul<matmul_config{.n = 3, .k = 3}>, std::ratio<1>>>;
  static constexpr value define(graph& g, value x) {
    const auto guess = [&](value v) {
      return g.block<bayesian<matmul<matmul_config{.n = 3, .k = 3}>, std::ratio<1>>>("unsure", v);
    };
    return g.shared("guess", g.shared("guess", x, guess), guess);
  }
};
using net = network<twice, sample_shape::features(3), reference>;
static_assert(net::parameters >= 0);
