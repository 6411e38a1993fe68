// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: group_norm: x has 6 channels, which .groups = 4 does not divide
#include "tern/reference.hpp"

using rows = tern::view<float, tern::extents<4, 6>>;

void f(rows x) {
  constexpr tern::norm_config four{.groups = 4, .scale = false, .shift = false};
  tern::kernel<tern::group_norm<four>, tern::reference>{}(x, x);
}
