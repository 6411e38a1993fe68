// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: coupling: to_stream takes (x, s)
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;

void f(rows x) { tern::kernel<tern::coupling<>, tern::reference>{}.to_stream(x); }
