// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a pool with a kernel of 0
// error: max_pool2d: every .kernel must be at least 1 or tern::whole_axis
#include "tern/reference.hpp"

tern::kernel<tern::pooling<2, tern::pool_kind::max, tern::pool2d_config{.kernel = {2, 0}}>, tern::reference> k;
