// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: the element type must be float or double: there are no kernels for others yet
#include "tern/core/bfloat16.hpp"
#include "tern/reference.hpp"

tern::kernel<tern::matmul<tern::matmul_config{}, tern::bfloat16>, tern::reference> k;
