// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: softmax: .axis must be an axis of the tensor
#include "tern/reference.hpp"

constexpr tern::softmax_config config{.axis = 4};

auto f(tern::view<float, tern::dims<3>> x) {
  return tern::kernel<tern::softmax<config>, tern::reference>::make_state(x);
}
