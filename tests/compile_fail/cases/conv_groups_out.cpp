// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv2d: .groups must divide .out
#include "tern/reference.hpp"

tern::kernel<tern::convolution<2, tern::conv2d_config{.in = 4, .out = 3, .groups = 2}>, tern::reference> k;
