// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: layer_norm: the call takes (x, scale, shift, residual, y), and on demand mean and rstd; scale is taken if
// error: .scale is set, shift if .shift is set, residual if .residual is set, and optionally a tern::epsilon
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using numbers = tern::view<float, tern::dims<1>>;

void f(rows x, rows y) { tern::kernel<tern::layer_norm<>, tern::reference>{}(x, y); }
