// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: late: matmul has float32 elements and early: matmul float64: all ops must have the same element type
#include "tern/blocks.hpp"

using namespace tern;
struct late : matmul<matmul_config{.n = 4}> {
  static constexpr sample_shape out(sample_shape) { return sample_shape::features(4); }
};
struct mixed {
  using value_type = double;
  using blocks = block_list<late>;
  static constexpr value define(graph& g, value x) { return g.block<late>("late", g.matmul("early", {.n = 3}, x)); }
};
using net = network<mixed, sample_shape::features(8), reference>;
static_assert(net::parameters >= 0);
