// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: something that is no loss for a trainer
// error: trainer: the second argument must be a loss, such as tern::squared_error<cfg>
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = 2}>, sample_shape::features(4), reference>;
void run(std::span<float> memory) { trainer<net, loss_config, adam<>>(memory).initialize(1); }
