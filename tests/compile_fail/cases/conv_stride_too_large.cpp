// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv1d: every .stride must be at most 32768
#include "tern/reference.hpp"

tern::kernel<tern::convolution<1, tern::conv1d_config{.in = 3, .out = 4, .stride = {40000}}>, tern::reference> k;
