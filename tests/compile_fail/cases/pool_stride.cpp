// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool2d: every .stride must be at least 1
#include "tern/reference.hpp"

tern::kernel<tern::pooling<2, tern::pool_kind::max, tern::pool2d_config{.kernel = {2, 2}, .stride = {0, 1}}>,
             tern::reference>
    k;
