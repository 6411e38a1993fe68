// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: from_stream: its config must be that of the to_stream
#include "tern/blocks.hpp"

using namespace tern;
using net =
    network<sequence<to_stream<>, from_stream<coupling_config{.bits = 20}>>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
