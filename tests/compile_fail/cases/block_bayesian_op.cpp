// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: bayesian: the op must be a convolution or a matmul without .scale, and the derivative of its .act must depend
// error: on the result only: put other activations after the block
#include "tern/blocks.hpp"

using namespace tern;
using net = network<bayesian<batch_norm<>, std::ratio<1, 100>>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
