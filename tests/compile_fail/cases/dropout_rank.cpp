// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: dropout: x has 1 axis: it must be (n, channels, spatial...), 2 to 5 axes
#include "tern/reference.hpp"

void f(tern::view<float, tern::dims<1>> x, tern::view<float, tern::dims<1>> y) {
  tern::kernel<tern::dropout<>, tern::reference>{}(x, y, tern::drop_rate{0.1}, tern::random_site{});
}
