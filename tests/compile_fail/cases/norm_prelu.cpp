// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: norm: .act must not be prelu: a norm takes no slopes, tern::elementwise after it does
#include "tern/reference.hpp"

tern::kernel<tern::normalization<tern::norm_kind::layer, tern::norm_config{.act = tern::activation::prelu}>,
             tern::reference>
    k;
