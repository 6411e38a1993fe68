// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a kernel without a policy
// error: wrong number of template arguments (1, should be 2)
// clang: too few template arguments for class template 'kernel'
#include "tern/reference.hpp"

using namespace tern;
kernel<matmul<>> k;
