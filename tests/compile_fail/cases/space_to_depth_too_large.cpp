// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: space_to_depth1d: every .block must be at most 32768
#include "tern/reference.hpp"

tern::kernel<tern::space_to_depth<1, tern::space_to_depth_config<1>{.block = {32769}}>, tern::reference> k;
