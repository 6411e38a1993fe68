// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: shapes that disagree beside a number
// error: elementwise: y is 5x3 and x is 3x5: their shapes must be equal
#include "tern/reference.hpp"

using scaled = tern::kernel<tern::elementwise<tern::elementwise_config{.scale = true}>, tern::reference>;

void f(tern::view<float, tern::extents<3, 5>> x, tern::view<float, tern::extents<5, 3>> y) { scaled{}(x, 0.5, y); }
