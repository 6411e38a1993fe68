// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a function without a derivative in a network that is trained
// error: network: 1: doubled: training needs the derivative of the function: V derivative(V x) const
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
using net = network<sequence<matmul<matmul_config{.n = 4}>, map_of<doubled>>, sample_shape::features(8), reference>;
using floats = std::vector<float>;
using state = decltype(net::make_state());
using loss = squared_error<loss_config{.reduce = reduction::sum}>;
void f(trainer<net, loss, adam<>>& t, state& s, floats& x, floats& y) { t.step(s, x, y, {}, 8); }
