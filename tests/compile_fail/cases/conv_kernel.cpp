// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a kernel of 0
// error: conv2d: every .kernel must be at least 1
#include "tern/reference.hpp"

tern::kernel<tern::convolution<2, tern::conv2d_config{.in = 3, .out = 4, .kernel = {3, 0}}>, tern::reference> k;
