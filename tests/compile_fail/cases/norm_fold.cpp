// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: norm: fold takes (mean, variance, scale, shift, factor, offset), of which scale and shift are given exactly
// where .scale and .shift are set
#include "tern/reference.hpp"

using numbers = tern::view<float, tern::dims<1>>;

void f(numbers n) { tern::kernel<tern::batch_norm<>, tern::reference>{}.fold(n, n, n, n); }
