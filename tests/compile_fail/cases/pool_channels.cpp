// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool2d: .channels must be at least 1 or tern::dynamic
#include "tern/reference.hpp"

tern::kernel<tern::pooling<2, tern::pool_kind::max, tern::pool2d_config{.channels = 0}>, tern::reference> k;
