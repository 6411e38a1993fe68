// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a softmax with a mask in a chain
// error: network: 0: softmax: an op with .mask is no block: nothing gives it the mask
#include "tern/blocks.hpp"

using namespace tern;
using net = network<softmax<softmax_config{.mask = true}>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
