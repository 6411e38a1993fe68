// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv_transpose2d: every .extent must be at least 0 or tern::dynamic
#include "tern/reference.hpp"

tern::kernel<tern::transposed_convolution<2, tern::conv_transpose2d_config{.in = 1, .out = 1, .extent = -5}>,
             tern::reference>
    k;
