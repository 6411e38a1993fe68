// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: to_stream: the input must have an even number of channels and be no stream yet
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<to_stream<>, from_stream>, sample_shape::features(3), reference>;
static_assert(net::parameters >= 0);
