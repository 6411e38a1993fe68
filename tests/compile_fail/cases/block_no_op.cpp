// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: this op is no block: it takes more than one tensor, or there is no tern::layer for it
#include "tern/blocks.hpp"

using namespace tern;
using net = network<squared_error<>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
