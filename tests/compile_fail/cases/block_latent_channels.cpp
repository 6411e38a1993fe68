// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: normal_latent: the input must have an even number of channels: means, then logarithms of variances
#include "tern/blocks.hpp"

using namespace tern;
using net = network<normal_latent<>, sample_shape::features(5), reference>;
static_assert(net::parameters == 0);
