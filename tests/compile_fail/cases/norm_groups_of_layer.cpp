// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: norm: .groups is for group norms
#include "tern/reference.hpp"

tern::kernel<tern::normalization<tern::norm_kind::layer, tern::norm_config{.groups = 2}>, tern::reference> k;
