// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: 0: softmax: .axis must be given where samples have positions: 1 for channels, 2 for the first axis
// error: of positions
// of positions
#include "tern/blocks.hpp"

using namespace tern;
using net = network<softmax<>, sample_shape::image(1, 8, 8), reference>;
static_assert(net::parameters >= 0);
