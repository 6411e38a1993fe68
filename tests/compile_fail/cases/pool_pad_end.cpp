// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool2d: every .pad_end must be at least 0
#include "tern/reference.hpp"

tern::kernel<tern::pooling<2, tern::pool_kind::max, tern::pool2d_config{.kernel = {2, 2}, .pad_end = {0, -2}}>,
             tern::reference>
    k;
