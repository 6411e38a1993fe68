// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool1d: every .kernel, .dilation, .pad and .pad_end must be at most 2^30
#include "tern/reference.hpp"

tern::kernel<tern::pooling<1, tern::pool_kind::max, tern::pool1d_config{.kernel = {tern::index_t(1) << 40}}>,
             tern::reference>
    k;
