// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: groups of 0 in a norm
// error: norm: .groups must be at least 1
#include "tern/reference.hpp"

tern::kernel<tern::normalization<tern::norm_kind::group, tern::norm_config{.groups = 0}>, tern::reference> k;
