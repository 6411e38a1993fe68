// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: weights that were packed for another op
// error: matmul: b was packed for another op or policy
#include "tests/compile_fail/tensors.hpp"

struct op : tern::matmul<> {};
struct other : tern::matmul<> {};

void f(const tern::kernel<op, tern::reference>& k, const tern::kernel<other, tern::reference>& l) {
  const auto w = l.pack(b);
  k(a, w, c);
}
