// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a convolution without .out
// error: conv2d: .out must be at least 1
#include "tern/reference.hpp"

using namespace tern;
kernel<conv2d<conv2d_config{.in = 3}>, reference> k;
