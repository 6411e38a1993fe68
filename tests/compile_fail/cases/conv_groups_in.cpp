// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: groups that do not divide the input channels
// error: conv2d: .groups must divide .in
#include "tern/reference.hpp"

tern::kernel<tern::convolution<2, tern::conv2d_config{.in = 3, .out = 4, .groups = 2}>, tern::reference> k;
