// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: avg_pool2d: .divisor and .count_padding do not go together
#include "tern/reference.hpp"

tern::kernel<tern::pooling<2, tern::pool_kind::average,
                           tern::pool2d_config{.kernel = {2, 2}, .count_padding = true, .divisor = 3}>,
             tern::reference>
    k;
