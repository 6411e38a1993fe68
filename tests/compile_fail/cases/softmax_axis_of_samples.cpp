// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: softmax: .axis must be between -4 and 3, as x is ?x4x4x4
#include "tern/blocks.hpp"

using namespace tern;
using net = network<softmax<softmax_config{.axis = 4}>, sample_shape::image(4, 4, 4), reference>;

void f(std::span<const float> x, std::span<float> y) {
  auto state = net::make_state();
  net::forward(state, {}, {}, x, y, {});
  net::backward(state, {}, {}, x, y, x, {}, {});
}
