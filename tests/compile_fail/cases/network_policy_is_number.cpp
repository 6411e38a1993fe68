// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: the third argument must be a policy, such as tern::simd<> or tern::reference
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<conv2d<conv2d_config{.out = 3, .kernel = 3}>>, sample_shape::image(3, 8, 8), int>;
static_assert(net::parameters >= 0);
void run(std::span<const float> x, std::span<float> y) {
  auto state = net::make_state();
  net::infer(state, x, x, x, y, y);
}
