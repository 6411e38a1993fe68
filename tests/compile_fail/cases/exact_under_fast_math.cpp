// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: fast-math
// error: kernel: exact numerics cannot be kept under fast-math: compile this file without -ffast-math and its
// error: parts, or use tern::numerics::relaxed
// flags: -ffast-math
#include "tern/simd.hpp"
#include "tests/compile_fail/tensors.hpp"

void call() { tern::kernel<tern::matmul<>, tern::simd<tern::devices::scalar>>{}(a, b, c); }
