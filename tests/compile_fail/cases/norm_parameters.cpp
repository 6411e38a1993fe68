// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: layer_norm: scale has 2 axes: it must be (channels)
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using numbers = tern::view<float, tern::dims<1>>;

void f(rows x, rows y) { tern::kernel<tern::layer_norm<>, tern::reference>{}(x, x, x, y); }
