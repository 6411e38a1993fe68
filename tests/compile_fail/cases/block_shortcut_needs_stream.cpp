// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: stored_coupling: the input must be a stream: put a tern::to_stream before it
#include "tern/blocks.hpp"

using namespace tern;
using net =
    network<stored_coupling<pad_channels<1, 0>, skip, pad_channels<0, 1>>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
