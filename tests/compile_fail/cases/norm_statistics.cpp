// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: statistics of a batch norm for a group norm
// error: group_norm: mean has 1 axis: it must be (n, groups)
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using numbers = tern::view<float, tern::dims<1>>;

void f(rows x, rows y, numbers n) {
  tern::kernel<tern::group_norm<tern::norm_config{.groups = 2}>, tern::reference>{}(x, n, n, y, n, n);
}
