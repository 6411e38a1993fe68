// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: norm: the call takes (x, scale, shift, residual, y) and on demand (mean, rstd), of RMS norms (rstd), of batch
// norms (mean, rstd, variance), too; scale, shift and residual are given exactly where .scale, .shift and .residual are
// set
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using numbers = tern::view<float, tern::dims<1>>;

void f(rows x, rows y) { tern::kernel<tern::layer_norm<>, tern::reference>{}(x, y); }
