// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: tiles without a machine
// error: mimd: the first argument of the call must be a tern::tile_machine
// flags: -DTERN_SCALAR=1
#include "tern/mimd.hpp"

void call(const float* a, const float* b, float* c) {
  const tern::dims<2> e(4, 4);
  tern::kernel<tern::matmul<>, tern::mimd<>>{}(tern::view(tern::unchecked, a, e), tern::view(tern::unchecked, b, e),
                                               tern::view(tern::unchecked, c, e));
}
