// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: pack: the memory must be a span of elements of the op that are not const
#include "tern/reference.hpp"

constexpr tern::conv1d_config config{.in = 2, .out = 2, .kernel = {3}};
using weights = tern::view<float, tern::extents<3, 2, 2>>;
void f(weights w, tern::view<double, tern::dims<1>> memory) {
  tern::kernel<tern::conv1d<config>, tern::reference>{}.pack(w, memory);
}
