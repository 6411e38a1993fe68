// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: max_pool2d: .stride, .dilation, .pad and .pad_end do not go with a .kernel of tern::whole_axis
#include "tern/reference.hpp"

tern::kernel<
    tern::pooling<2, tern::pool_kind::max, tern::pool2d_config{.kernel = {2, tern::whole_axis}, .pad = {1, 1}}>,
    tern::reference>
    k;
