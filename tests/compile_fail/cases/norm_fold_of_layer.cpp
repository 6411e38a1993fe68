// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: norm: only batch norms have known statistics: others take them from every sample
#include "tern/reference.hpp"

using numbers = tern::view<float, tern::dims<1>>;

void f(numbers n) { tern::kernel<tern::layer_norm<>, tern::reference>{}.fold(n, n, n, n, n, n); }
