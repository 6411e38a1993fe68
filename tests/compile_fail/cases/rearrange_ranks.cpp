// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: reorder: y is ?x?x? and x is ?x?x?x?: their ranks must be equal
#include "tern/reference.hpp"

using image = tern::view<float, tern::dims<4>, tern::layout_channels_last>;

void f(image x, tern::view<float, tern::dims<3>> y) { tern::kernel<tern::reorder<>, tern::reference>{}(x, y); }
