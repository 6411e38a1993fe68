// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a trainer of a block
// error: trainer: the first argument must be a tern::network: a block, the shape of a sample and a policy
#include "tern/blocks.hpp"

using namespace tern;
using block = matmul<matmul_config{.n = 2}>;
using learner = trainer<block, squared_error<loss_config{.reduce = reduction::sum}>, adam<>>;
void run(std::span<float> memory) { learner(memory).initialize(1); }
