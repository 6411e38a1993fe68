// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: convolution: weights are packed for forward or backward_data: backward_weights has none
#include "tern/reference.hpp"

using op = tern::conv1d<tern::conv1d_config{.in = 3, .out = 4}>;

void f(tern::view<float, tern::dims<3>> w) {
  tern::kernel<op, tern::reference>{}.pack<tern::pass::backward_weights>(w);
}
