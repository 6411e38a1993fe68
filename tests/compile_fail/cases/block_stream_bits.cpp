// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: to_stream: .bits of a fixed-point stream must be 0 for the default, or from 1 to 30, in double
// error: to 62
#include "tern/blocks.hpp"

using namespace tern;
using net =
    network<sequence<to_stream<coupling_config{.bits = 40}>, from_stream>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
