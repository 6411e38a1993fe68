// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: batch_norm: fold takes (mean, variance, scale, shift, factor, offset); scale is taken if .scale is set, shift
// error: if .shift is set, and optionally a tern::epsilon
#include "tern/reference.hpp"

using numbers = tern::view<float, tern::dims<1>>;

void f(numbers n) { tern::kernel<tern::batch_norm<>, tern::reference>{}.fold(n, n, n, n); }
