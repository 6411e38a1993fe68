// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: the result must be no stream: put a tern::from_stream at its end
#include "tern/blocks.hpp"

using namespace tern;
using net = network<to_stream<>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
