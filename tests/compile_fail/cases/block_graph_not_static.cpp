// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a define that is not static
// error: network: 0: this is not a block: its `define` must be `static constexpr tern::value define(tern::graph&,
// error: tern::value)`
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  constexpr value define(graph& g, value x) const { return g.matmul("dense", {.n = 3}, x); }
};
using net = network<body, sample_shape::features(3), reference>;
static_assert(net::parameters >= 0);
