// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: dropout: y is written: it must be a view of elements that are not const
#include "tern/reference.hpp"

void f(tern::view<const float, tern::dims<2>> x) {
  tern::kernel<tern::dropout<>, tern::reference>{}(x, x, tern::drop_rate{0.1}, tern::random_site{});
}
