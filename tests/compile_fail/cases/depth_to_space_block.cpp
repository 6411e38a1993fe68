// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: depth_to_space1d: every .block must be at least 1
#include "tern/reference.hpp"

tern::kernel<tern::depth_to_space<1, tern::space_to_depth1d_config{.block = {0}}>, tern::reference> k;
