// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a device that the file is not compiled for
// error: simd: this file is not compiled for the instructions of the device: raise -march, choose another device, or
// error: build it per ISA with tern_add_isas
// flags: -DTERN_SCALAR=1
#include "tern/simd.hpp"
#include "tests/compile_fail/tensors.hpp"

void call() { tern::kernel<tern::matmul<>, tern::simd<tern::devices::avx512>>{}(a, b, c); }
