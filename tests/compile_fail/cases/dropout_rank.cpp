// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: draws: x must have the rank (sample, channel, spatial...), with up to three axes
#include "tern/reference.hpp"

using span = tern::view<float, tern::dims<1>>;
void f(span x) { tern::kernel<tern::dropout<>, tern::reference>::plan(x); }
