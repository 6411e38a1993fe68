// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: b was packed for another op or policy
#include "tern/simd.hpp"
#include "tests/compile_fail/tensors.hpp"

void f(const tern::kernel<tern::matmul<>, tern::reference>& k,
       const tern::kernel<tern::matmul<>, tern::simd<tern::devices::scalar>>& l) {
  const auto w = l.pack(b);
  k(a, w, c);
}
