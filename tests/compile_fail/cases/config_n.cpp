// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: matmul: .n must be at least 0 or tern::dynamic
#include "tern/op/matmul.hpp"

tern::matmul<tern::matmul_config{.n = -2}> op;
