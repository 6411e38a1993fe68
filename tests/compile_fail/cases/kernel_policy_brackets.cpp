// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a policy without <>
// error: type/value mismatch at argument 2
// clang: use of class template 'simd' requires template arguments
#include "tern/simd.hpp"

using namespace tern;
kernel<matmul<>, simd> k;
