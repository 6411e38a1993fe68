// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: mimd: the first argument of the call must be a tern::tile_machine
// lines: 29, as a call is prepared by one of another name
#include "tern/mimd.hpp"

void f(tern::view<float, tern::dims<2>> a) {
  static_cast<void>(tern::kernel<tern::matmul<>, tern::mimd<tern::devices::gc200>>::prepare(a, a, a));
}
