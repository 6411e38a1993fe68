// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool2d: every .dilation must be at least 1
#include "tern/reference.hpp"

tern::kernel<tern::pooling<2, tern::pool_kind::max, tern::pool2d_config{.kernel = {2, 2}, .dilation = {1, 0}}>,
             tern::reference>
    k;
