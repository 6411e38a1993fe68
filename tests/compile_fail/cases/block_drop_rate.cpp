// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a rate of a dropout above 100 percent
// error: network: 0: drop: the rate must be at least 0 and less than 100 percent
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<drop<120>>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
