// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: coupling: x has 1 axis: it must be (n, channels, spatial...), 2 to 5 axes
#include "tern/reference.hpp"

void f(tern::view<float, tern::dims<1>> x) { tern::kernel<tern::coupling<>, tern::reference>{}(x, x, x); }
