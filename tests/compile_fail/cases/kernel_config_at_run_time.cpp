// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a config that is no constant
// error: the value of 'c' is not usable in a constant expression
// clang: non-type template argument is not a constant expression
// errors: 2
#include "tern/reference.hpp"

using namespace tern;
void f(int channels) {
  const conv2d_config c{.in = channels, .out = 3};
  kernel<conv2d<c>, reference> k;
}
