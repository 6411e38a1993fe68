// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv_transpose1d: every .kernel, .dilation, .crop and .crop_end must be at most 2^30
#include "tern/reference.hpp"

tern::kernel<tern::transposed_convolution<1, tern::conv_transpose1d_config{.in = 3, .out = 4, .crop = {(1 << 30) + 1}}>,
             tern::reference>
    k;
