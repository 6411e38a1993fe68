// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: trainer: the network must give what the loss takes: N + N (N + 1) / 2 features for a multivariate_gaussian_nll
// of N numbers
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = 8}>, sample_shape::features(4), reference>;
static_assert(trainer<net, multivariate_gaussian_nll<3, loss_config{.reduce = reduction::sum}>, adam<>>::elements(1) >
              0);
