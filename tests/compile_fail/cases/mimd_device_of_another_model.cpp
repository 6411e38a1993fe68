// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: mimd: the device must be a tile machine (device.execution)
// flags: -DTERN_SCALAR=1
#include "tern/mimd.hpp"
#include "tests/compile_fail/tensors.hpp"

const tern::kernel<tern::matmul<>, tern::mimd<tern::devices::avx2>> k;
void call() { k(a, b, c); }
