// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: cross_entropy: target is ?x? and x is ?x?: target must have 1 axis
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using column = tern::view<float, tern::dims<1>>;

void f(rows x, column losses, tern::view<std::int32_t, tern::dims<2>> target) {
  tern::kernel<tern::cross_entropy<>, tern::reference>{}(x, target, losses, losses);
}
