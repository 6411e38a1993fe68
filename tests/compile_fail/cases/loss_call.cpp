// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a loss without targets
// error: squared_error: the call takes (x, target, losses, total); total is taken if .reduce is not none
#include "tern/reference.hpp"

using rows = tern::view<float, tern::dims<2>>;
using column = tern::view<float, tern::dims<1>>;

void f(rows x, column losses) { tern::kernel<tern::squared_error<>, tern::reference>{}(x, x, losses); }
