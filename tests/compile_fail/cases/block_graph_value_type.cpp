// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: `value_type` of a graph must be the element type of all blocks
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  using value_type = double;
  struct mine : matmul<matmul_config{.n = 4}, float> {};
  using blocks = block_list<mine>;
  static constexpr value define(graph& g, value x) { return g.block<mine>("mine", x); }
};
using net = network<body, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
