// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// errors: 2
// error: has no member named 'conv2D'
// clang: no member named 'conv2D' in 'tern::
#include "tern/blocks.hpp"

using namespace tern;
struct wrong {
  static constexpr value define(graph& g, value x) { return g.conv2D("conv", {.out = 4}, x); }
};
using net = network<sequence<wrong, residual<wrong>, flatten, matmul<matmul_config{.n = 3}>>,
                    sample_shape::image(3, 8, 8), reference>;
static_assert(net::parameters >= 0);
