// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: trainer: the loss must be tern::cross_entropy, squared_error, bce_with_logits or multivariate_gaussian_nll
// mistake: loss and optimiser of a trainer swapped
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = 2}>, sample_shape::features(4), reference>;
using learner = trainer<net, adam<>, squared_error<loss_config{.reduce = reduction::sum}>>;
void run(std::span<float> memory, std::span<const float> x, std::span<const float> target) {
  learner t(memory);
  t.initialize(1);
  auto state = net::make_state();
  t.step(state, x, target, {.rate = 1e-3});
}
