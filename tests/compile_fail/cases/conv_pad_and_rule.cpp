// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a padding beside a padding rule
// error: conv2d: .pad and .pad_end go with padding::given only
#include "tern/reference.hpp"

tern::kernel<tern::convolution<2, tern::conv2d_config{.in = 3, .out = 4, .rule = tern::padding::valid, .pad = {1, 1}}>,
             tern::reference>
    k;
