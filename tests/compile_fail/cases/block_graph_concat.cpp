// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: values of other extents that are joined
// error: network: none: a concat takes at least one value
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static constexpr value define(graph& g, value x) { return g.concat("none", {}); }
};
using net = network<wrong, sample_shape::image(8, 4, 4), reference>;
static_assert(net::parameters >= 0);
