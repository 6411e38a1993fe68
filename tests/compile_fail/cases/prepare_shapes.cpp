// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: static shapes that disagree in a call that is prepared
// error: matmul: b is 5x4 and a is 8x6: they must agree on k
// lines: 29, as a call is prepared by one of another name
#include "tern/reference.hpp"

template <tern::index_t Rows, tern::index_t Columns>
using matrix = tern::view<float, tern::extents<Rows, Columns>>;

void f(matrix<8, 6> a, matrix<5, 4> b, matrix<8, 4> c) {
  static_cast<void>(tern::kernel<tern::matmul<>, tern::reference>::prepare(a, b, c));
}
