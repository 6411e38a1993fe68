// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: sgd: gradient has 2 axes: it must be (elements)
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
void f(rows g, rows p) { tern::kernel<tern::sgd<>, tern::reference>{}(g, p); }
