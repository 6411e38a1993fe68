// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an executor as the policy
// error: kernel: the second template argument must be a policy, such as tern::simd<>
#include "tern/exec/cpu/executor.hpp"
#include "tern/reference.hpp"

tern::kernel<tern::matmul<>, tern::serial> k;
