// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: pack needs .batch = 1: weights are shared by all rows
#include "tests/compile_fail/tensors.hpp"

struct op : tern::matmul<tern::matmul_config{.batch = 8}> {};

auto f(const tern::kernel<op, tern::reference>& k) { return k.pack(b); }
