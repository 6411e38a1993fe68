// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: batch_norm: backward_part takes (dy, x, mean, rstd, dscale, dshift, scale, dx); scale is taken if .scale is
// error: set, and a tern::values_seen
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using column = tern::view<float, tern::dims<1>>;
using norm = tern::kernel<tern::batch_norm<>, tern::reference>;
void f(rows x, column c) { norm{}.backward_part(x, x, c, c, c, c, c, x); }
