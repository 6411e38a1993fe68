// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: kernel: make_state takes one tensor, x, and then what the tile machine takes
// flags: -DTERN_SCALAR=1
#include "tern/mimd.hpp"

void call(const float* x, float* y) {
  const tern::dims<2> e(4, 4);
  tern::kernel<tern::softmax<>, tern::mimd<>>::make_state(tern::view(tern::unchecked, x, e),
                                                          tern::view(tern::unchecked, y, e));
}
