// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an .in of 0
// error: conv2d: .in must be at least 1: a network infers it, a kernel does not
#include "tern/reference.hpp"

template struct tern::kernel<tern::conv2d<tern::conv2d_config{.out = 4}>, tern::reference>;
