// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// errors: 2
// error: no return statement in 'constexpr' function returning non-void
// clang: no return statement in constexpr function
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static constexpr value define(graph& g, value x) { g.conv2d("conv", {.out = 4}, x); }
};
using net = network<wrong, sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
