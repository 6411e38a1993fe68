// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool2d: .pad and .pad_end go with padding::given only
#include "tern/reference.hpp"

tern::kernel<tern::pooling<2, tern::pool_kind::max,
                           tern::pool2d_config{.kernel = {2, 2}, .rule = tern::padding::valid, .pad = {1, 1}}>,
             tern::reference>
    k;
