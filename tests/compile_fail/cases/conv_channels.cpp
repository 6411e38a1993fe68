// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: convolution: .in must be at least 1
#include "tern/reference.hpp"

template struct tern::convolution<2, tern::conv2d_config{.out = 4}>;
