// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a kernel of a convolution without .in
// error: conv2d: .in must be at least 1: a network infers it, a kernel does not
#include "tern/reference.hpp"

using namespace tern;
kernel<conv2d<conv2d_config{.out = 3}>, reference> k;
