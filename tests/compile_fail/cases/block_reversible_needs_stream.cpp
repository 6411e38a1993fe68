// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a reversible block without a stream
// error: reversible: the input must be a stream: put a tern::to_stream before it
#include "tern/blocks.hpp"

using namespace tern;
using net = network<reversible<skip, skip>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
