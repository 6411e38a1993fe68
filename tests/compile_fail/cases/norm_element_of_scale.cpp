// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: layer_norm: scale must have the element type of the op
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using numbers = tern::view<double, tern::dims<1>>;

void f(rows x, numbers n) { tern::kernel<tern::layer_norm<>, tern::reference>{}(x, n, n, x); }
