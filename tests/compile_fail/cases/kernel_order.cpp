// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: the policy before the op
// error: kernel: the first template argument must be an op, such as tern::matmul<cfg, float>
#include "tern/reference.hpp"

using namespace tern;
kernel<reference, matmul<>> k;
