// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a matmul of integers
// error: matmul: the element type must be float or double: there are no kernels for others yet
#include "tern/reference.hpp"

using namespace tern;
kernel<matmul<matmul_config{}, int>, reference> k;
