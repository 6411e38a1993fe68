// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a trainer with an optimiser that it does not have
// error: trainer: the optimiser must be tern::sgd, adam, adamw or rmsprop
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = 3}>, sample_shape::features(4), reference>;
static_assert(trainer<net, cross_entropy<loss_config{.reduce = reduction::sum}>, lars<>>::elements(1) > 0);
