// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool1d: every .stride must be at most 32768
#include "tern/reference.hpp"

tern::kernel<tern::pooling<1, tern::pool_kind::max, tern::pool_config<1>{.kernel = {2}, .stride = {32769}}>,
             tern::reference>
    k;
