// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an empty sequence
// error: sequence: there must be at least one block
#include "tern/blocks.hpp"

using namespace tern;
using net = network<sequence<>, sample_shape::features(4), reference>;

void f(std::span<const float> x, std::span<float> y) {
  auto state = net::make_state();
  net::infer(state, {}, {}, x, y, {});
}
