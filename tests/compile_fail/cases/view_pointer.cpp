// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a view of a pointer without a length
// error: view: a pointer does not say how many elements there are
#include "tern/reference.hpp"

void f(float* p) { const tern::view v(p, tern::extents{3, 4}); }
