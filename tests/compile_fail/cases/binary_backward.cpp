// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: operands of a difference given to its gradient, which does not read them
// error: subtract: backward_data takes (dy, a, b, da, db); a is taken if .kind is divide, maximum or minimum, b if
// error: .kind is divide, maximum or minimum
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows dy, rows a, rows b, rows da, rows db) {
  tern::kernel<tern::subtract<>, tern::reference>{}.backward_data(dy, a, b, da, db);
}
