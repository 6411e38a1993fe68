// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: .m must be at least 0 or tern::dynamic
#include "tern/reference.hpp"

tern::kernel<tern::matmul<tern::matmul_config{.m = -2}>, tern::reference> k;
