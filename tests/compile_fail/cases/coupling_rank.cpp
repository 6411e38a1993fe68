// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: coupling: tensors must have the rank (sample, channel, spatial...), with up to three axes
#include "tern/reference.hpp"

void f(tern::view<float, tern::dims<1>> x) { tern::kernel<tern::coupling<>, tern::reference>{}(x, x, x); }
