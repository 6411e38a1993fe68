// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv2d: padding::same_torch needs .stride = 1 on every axis
#include "tern/reference.hpp"

tern::kernel<
    tern::convolution<2, tern::conv2d_config{.in = 3, .out = 4, .stride = {2, 2}, .rule = tern::padding::same_torch}>,
    tern::reference>
    k;
