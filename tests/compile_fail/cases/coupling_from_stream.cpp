// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: coupling: from_stream takes (s, y)
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows x) { tern::kernel<tern::coupling<>, tern::reference>{}.from_stream(x, x, x); }
