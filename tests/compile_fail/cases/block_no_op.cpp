// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a loss as a block
// error: network: 0: squared_error: this op is no block: it takes more than one tensor, or there is no tern::layer
// error: for it
#include "tern/blocks.hpp"

using namespace tern;
using net = network<squared_error<>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
