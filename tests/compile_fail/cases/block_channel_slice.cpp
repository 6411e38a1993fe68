// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: channel_slice: 5 channels from channel 4 on must be part of the 8 of the input
#include "tern/blocks.hpp"

using namespace tern;
using net = network<channel_slice<4, 5>, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
