// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: layer_norm: the call takes (x, scale, shift, residual, y), and on demand mean and rstd, of which scale is
// error: given exactly where .scale is set and shift where .shift is and residual where .residual is, and perhaps a
// error: tern::epsilon
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using numbers = tern::view<float, tern::dims<1>>;

void f(rows x, rows y) { tern::kernel<tern::layer_norm<>, tern::reference>{}(x, y); }
