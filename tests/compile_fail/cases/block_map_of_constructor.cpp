// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a function with a number that its constructor takes
// error: network: 0: map_of: the function must have a default constructor
#include "tern/blocks.hpp"

using namespace tern;
struct times {
  float factor;
  constexpr explicit times(float f) : factor(f) {}
  template <class V>
  TERN_FN V operator()(V x) const {
    return x * V(factor);
  }
};
using net = network<sequence<map_of<times>>, sample_shape::features(4), reference>;
static_assert(net::parameters >= 0);
