// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: dropout: y is 5x?x6 and x is 4x7x6: their shapes must be equal
#include "tern/reference.hpp"

void f(tern::view<float, tern::extents<4, 7, 6>> x, tern::view<float, tern::extents<5, tern::dynamic, 6>> y) {
  tern::kernel<tern::dropout<>, tern::reference>{}(x, y, tern::drop_rate{0.1}, tern::random_site{});
}
