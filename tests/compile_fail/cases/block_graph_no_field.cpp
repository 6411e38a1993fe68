// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a field that a config does not have
// errors: 2
// error: cannot convert '<brace-enclosed initializer list>' to 'const tern::conv2d_config&'
// clang: field designator 'epsilon' does not refer to any
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static constexpr value define(graph& g, value x) { return g.conv2d("conv", {.out = 4, .epsilon = 1e-4}, x); }
};
using net = network<wrong, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
