// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: pooling: padding::same_torch needs .stride = 1 on every axis
#include "tern/reference.hpp"

template struct tern::pooling<2, tern::pool_kind::max,
                              tern::pool2d_config{.kernel = {2, 2}, .rule = tern::padding::same_torch}>;
