// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: batch_norm: deviation takes (squares, rstd), and on demand variance, and a tern::values_seen, and optionally a
// error: tern::epsilon
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using column = tern::view<float, tern::dims<1>>;
using norm = tern::kernel<tern::batch_norm<>, tern::reference>;
void f(rows, column c) { norm{}.deviation(c, c); }
