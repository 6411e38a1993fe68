// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: coupling: y is ?x?x? and x is ?x?: their ranks must be equal
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows x, tern::view<float, tern::dims<3>> y) { tern::kernel<tern::coupling<>, tern::reference>{}(x, x, y); }
