// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 1: elementwise: the input must be no stream: put a tern::from_stream before it
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<to_stream<>, elementwise<>>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
