// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: the gradient of a function of one's own that says no derivative
// error: map_of: a gradient is that of a function of one tensor that has `V derivative(V x) const`
#include "tern/reference.hpp"

struct doubled {
  template <class V>
  TERN_FN V operator()(V x) const {
    return x + x;
  }
};
using rows = tern::view<float, tern::dims<2>>;

void f(rows dy, rows x, rows dx) { tern::kernel<tern::map_of<doubled>, tern::reference>{}.backward_data(dy, x, dx); }
