// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: matmul: .act must not be prelu, whose slopes only tern::elementwise takes
#include "tern/reference.hpp"

template struct tern::matmul<tern::matmul_config{.act = tern::activation::prelu}>;
