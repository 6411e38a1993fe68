// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: something that is no executor as run-time state
// error: simd: the first argument of the call must be an executor: tern::serial, tern::team, or tern::with_concurrency
// error: around a function of yours
// flags: -DTERN_SCALAR=1
#include "tern/simd.hpp"
#include "tests/compile_fail/tensors.hpp"

void f(const tern::kernel<tern::matmul<>, tern::simd<>>& k) {
  k([](tern::index_t, tern::task_ref) {}, a, b, c);
}
