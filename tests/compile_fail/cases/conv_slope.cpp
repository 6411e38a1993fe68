// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: conv1d: the slope of .act must be at least 0 and finite
#include "tern/reference.hpp"

tern::kernel<tern::convolution<1, tern::conv1d_config{.in = 3, .out = 4, .act = tern::elu(-0.5)}>, tern::reference> k;
