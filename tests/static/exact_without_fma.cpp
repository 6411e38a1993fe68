// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Must not compile on plain x86-64: devices::native is sse2 there, and exact numerics need fma.
#include "tern/simd.hpp"

template struct tern::contraction_kernel<tern::simd<>>;
