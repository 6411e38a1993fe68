// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: trainer: the network must have one input and one result: others are trained with their forward and backward
// error: passes
#include "tern/blocks.hpp"

using namespace tern;
struct pair {
  static constexpr std::array<value, 2> define(graph& g, value x) { return {g.matmul("a", {.n = 3}, x), x}; }
};
using net = network<pair, sample_shape::features(4), reference>;
using learner = trainer<net, squared_error<loss_config{.reduce = reduction::sum}>, adam<>>;
void run(std::span<float> memory, std::span<const float> x, std::span<const float> target) {
  learner t(memory);
  auto state = net::make_state();
  t.step(state, x, target, {.rate = 1e-3});
}
