// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: network: last: doubled: training needs the derivative of the function: V derivative(V x) const
#include <span>
#include <vector>

#include "tern/blocks.hpp"

using namespace tern;
struct doubled {
  static constexpr const char* name = "doubled";
  template <class V>
  TERN_FN V operator()(V x) const {
    return x + x;
  }
};
struct body {
  using own = repeat<2, map_of<doubled>>;
  using blocks = block_list<own>;
  static constexpr value define(graph& g, value x) { return g.block<own>("last", x); }
};
using net = network<body, sample_shape::features(8), reference>;
using floats = std::vector<float>;
void f(floats& v) {
  auto state = net::make_state();
  net::backward(state, v, v, v, v, v, v, v);
}
