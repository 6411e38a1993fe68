// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: normal_sample: log_variance must have the element type of the op
#include "tern/reference.hpp"

void f(tern::view<float, tern::dims<2>> x, tern::view<double, tern::dims<2>> v) {
  tern::kernel<tern::normal_sample<>, tern::reference>{}(x, v, x, tern::random_site{});
}
