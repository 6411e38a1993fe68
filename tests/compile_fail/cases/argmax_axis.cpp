// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: argmax: .axis must be an axis of the tensor
#include "tern/reference.hpp"

template <class T>
using rows = tern::view<T, tern::dims<2>>;

void f(rows<float> x, rows<int> y) {
  tern::kernel<tern::argmax<tern::argmax_config{.axis = 2}>, tern::reference>{}(x, y);
}
