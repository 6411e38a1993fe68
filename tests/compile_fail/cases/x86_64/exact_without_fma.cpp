// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: simd: exact numerics need fma, which this device lacks: compile with -march=x86-64-v3, use
// error: tern::numerics::relaxed, or build per ISA with tern_add_isas
// flags: -march=x86-64
#include "tern/simd.hpp"

tern::kernel<tern::matmul<>, tern::simd<tern::devices::sse2>> k;
