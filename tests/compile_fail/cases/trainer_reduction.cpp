// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a loss that is no sum
// error: trainer: .reduce of the loss must be tern::reduction::sum, or mean_of_kept of a cross-entropy
#include "tern/blocks.hpp"

using namespace tern;
using net = network<matmul<matmul_config{.n = 3}>, sample_shape::features(4), reference>;
static_assert(trainer<net, cross_entropy<>, adam<>>::elements(1) > 0);
