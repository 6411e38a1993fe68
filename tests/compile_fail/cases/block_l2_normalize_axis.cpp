// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an L2 normalisation of images without an axis
// error: network: unit: l2_normalize: .axis must be given where samples have positions: 1 for channels, 2 for the first
// error: axis of positions [block_l2_normalize_axis.cpp:11]
#include "tern/blocks.hpp"

using namespace tern;
struct body {
  static constexpr value define(graph& g, value x) { return g.l2_normalize("unit", {}, x); }
};
using net = network<body, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
