// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv_transpose1d: every .output_padding must be at least 0 and less than .stride
#include "tern/reference.hpp"

tern::kernel<tern::transposed_convolution<
                 1, tern::conv_transpose1d_config{.in = 3, .out = 4, .stride = {2}, .output_padding = {2}}>,
             tern::reference>
    k;
