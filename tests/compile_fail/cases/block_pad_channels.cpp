// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: pad_channels: both numbers of channels must be at least 0
#include "tern/blocks.hpp"

using namespace tern;
using net = network<pad_channels<2, -1>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
