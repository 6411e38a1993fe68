// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: kernel: the first argument of the call must be a tensor: there is no run-time state
#include "tern/reference.hpp"

using numbers = tern::view<float, tern::dims<1>>;
struct executor {};

void f(numbers n) { tern::kernel<tern::batch_norm<>, tern::reference>{}.fold(executor{}, n, n, n, n, n, n); }
