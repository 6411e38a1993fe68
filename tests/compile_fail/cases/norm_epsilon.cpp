// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: an epsilon of 0
// error: norm: .epsilon must be positive and finite
#include "tern/reference.hpp"

tern::kernel<tern::normalization<tern::norm_kind::layer, tern::norm_config{.epsilon = 0}>, tern::reference> k;
