// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an axis of a softmax that no sample has, in a network
// error: network: 1: softmax: .axis must be between -4 and 3, as x is ?x8x4x4
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<skip, softmax<softmax_config{.axis = 5}>>, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
