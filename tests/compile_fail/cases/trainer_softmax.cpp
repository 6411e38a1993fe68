// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: trainer: the loss must be tern::cross_entropy, squared_error, bce_with_logits or multivariate_gaussian_nll
// mistake: a softmax as the loss of a trainer
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = 2}>, sample_shape::features(4), reference>;
using learner = trainer<net, softmax<>, adam<>>;
static_assert(learner::grain > 0);
