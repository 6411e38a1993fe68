// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool2d: padding::same_torch needs .stride = 1 on every axis
#include "tern/reference.hpp"

tern::kernel<
    tern::pooling<2, tern::pool_kind::max, tern::pool2d_config{.kernel = {2, 2}, .rule = tern::padding::same_torch}>,
    tern::reference>
    k;
