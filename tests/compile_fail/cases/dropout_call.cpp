// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a dropout without a rate
// error: dropout: the call takes (x, y), a tern::drop_rate and a tern::random_site
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
void f(rows x, rows y) { tern::kernel<tern::dropout<>, tern::reference>{}(x, y, tern::accumulate); }
