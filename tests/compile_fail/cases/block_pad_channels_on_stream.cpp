// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: pad_channels: the input must be no stream: put a tern::from_stream before it
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<to_stream<>, pad_channels<1, 1>, from_stream>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
