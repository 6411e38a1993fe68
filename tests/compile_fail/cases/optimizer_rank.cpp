// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: optimisers: every tensor must be flat, of rank 1
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
void f(rows g, rows p) { tern::kernel<tern::sgd<>, tern::reference>{}(g, p); }
