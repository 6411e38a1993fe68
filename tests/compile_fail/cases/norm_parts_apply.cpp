// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: batch_norm: apply takes (x, mean, rstd, scale, shift, residual, y); scale is taken if .scale is set, shift if
// error: .shift is set, residual if .residual is set
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using column = tern::view<float, tern::dims<1>>;
using norm = tern::kernel<tern::batch_norm<>, tern::reference>;
void f(rows x, column c) { norm{}.apply(x, c, c, x); }
