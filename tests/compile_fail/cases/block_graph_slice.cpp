// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a slice of more channels than there are
// error: network: part: a slice of 5 channels from channel 4 on must be part of the 8 of its input: 8x4x4
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static constexpr value define(graph& g, value x) { return g.slice("part", 4, 5, x); }
};
using net = network<wrong, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
