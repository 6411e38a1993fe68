// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: one input for a network of two, beside a list of results
// error: or (state, packed, x, y, memory): x is a list of 2 spans, y is a list of 2 spans
#include <array>
#include <vector>

#include "tern/blocks.hpp"
#include "tern/reference.hpp"

using namespace tern;

struct both {
  static constexpr std::array<value, 2> define(graph& g, value a, value b) { return {g.add("sum", a, b), a}; }
};
constexpr std::array inputs{sample_shape::features(3), sample_shape::features(3)};
using net = network<both, inputs, reference>;

void run(std::vector<float>& p, std::vector<float>& x, std::vector<float>& y, std::vector<float>& memory) {
  auto state = net::make_state();
  net::infer(state, p, p, x, {y, y}, memory);
}
