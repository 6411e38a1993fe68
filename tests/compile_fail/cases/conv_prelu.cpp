// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: convolution: .act must not be prelu, whose slopes only tern::elementwise takes
#include "tern/reference.hpp"

struct stem : tern::conv2d<tern::conv2d_config{.in = 3, .out = 4, .act = tern::activation::prelu}> {};
