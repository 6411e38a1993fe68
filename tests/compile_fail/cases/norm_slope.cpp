// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: norm: the slope of .act must be at least 0 and finite
#include "tern/reference.hpp"

tern::kernel<tern::normalization<tern::norm_kind::layer, tern::norm_config{.act = tern::elu(-1)}>, tern::reference> k;
