// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: .n must be at least 0 or tern::dynamic
#include "tests/compile_fail/tensors.hpp"

tern::view<const float, tern::extents<64, 10>> weights;
void call() { tern::kernel<tern::matmul<tern::matmul_config{.n = -2}>, tern::reference>{}(a, weights, c); }
