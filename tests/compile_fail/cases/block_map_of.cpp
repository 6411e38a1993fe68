// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a function of two tensors as a block of a chain
// error: network: 0: hypotenuse: the function of a block must take one tensor
#include "tern/blocks.hpp"

using namespace tern;
struct hypotenuse {
  static constexpr const char* name = "hypotenuse";
  template <class V>
  TERN_FN V operator()(V a, V b) const {
    using tern::math::fma;
    using tern::math::product;
    using tern::math::sqrt;
    return sqrt(fma(a, a, product(b, b)));
  }
};
using net = network<sequence<map_of<hypotenuse>>, sample_shape::features(8), reference>;
static_assert(net::parameters == 0);
