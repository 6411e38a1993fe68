// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a negative slope
// error: matmul: the slope of .act must be at least 0 and finite
#include "tern/reference.hpp"

tern::kernel<tern::matmul<tern::matmul_config{.act = tern::leaky_relu(-0.1)}>, tern::reference> k;
