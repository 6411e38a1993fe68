// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an optimiser without its moments
// error: sgd: the call takes (gradient, parameters, velocity, squares); velocity is taken if .momentum is set, squares
// error: if .clip is set, and optionally a tern::sgd_step
#include "tern/reference.hpp"

using span = tern::view<float, tern::dims<1>>;
void f(span g, span p) { tern::kernel<tern::sgd<tern::sgd_config{.momentum = true}>, tern::reference>{}(g, p); }
