// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv1d: every .kernel, .dilation, .pad and .pad_end must be at most 2^30
#include "tern/reference.hpp"

tern::kernel<tern::convolution<1, tern::conv1d_config{.in = 3, .out = 4, .dilation = {(1 << 30) + 1}}>, tern::reference>
    k;
