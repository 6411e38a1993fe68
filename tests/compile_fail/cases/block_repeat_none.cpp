// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a block that is repeated no time
// error: network: 0: repeat: the number of blocks must be at least 1
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<repeat<0, skip>>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
