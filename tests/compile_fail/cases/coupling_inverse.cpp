// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: coupling: inverse takes (y, f, x)
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows x, rows y) { tern::kernel<tern::coupling<>, tern::reference>{}.inverse(x, y, tern::accumulate); }
