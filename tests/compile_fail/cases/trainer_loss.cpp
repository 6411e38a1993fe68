// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: trainer: the loss must be tern::cross_entropy, squared_error, bce_with_logits or multivariate_gaussian_nll
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = 3}>, sample_shape::features(4), reference>;
static_assert(trainer<net, gaussian_kl<loss_config{.reduce = reduction::sum}>, adam<>>::elements(1) > 0);
