// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: numbers of another optimiser for a kernel
// error: adam: the call takes (gradient, parameters, mean, square, squares); squares is taken if .clip is set, and
// error: optionally a tern::adam_step
#include "tern/reference.hpp"

using span = tern::view<float, tern::dims<1>>;
void f(span g, span p) { tern::kernel<tern::adam<>, tern::reference>{}(g, p, p, p, tern::sgd_step{}); }
