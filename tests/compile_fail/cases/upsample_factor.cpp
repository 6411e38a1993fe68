// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mistake: a factor of 0
// error: upsample2d: every .factor must be at least 1
#include "tern/reference.hpp"

tern::kernel<tern::upsample<2, tern::upsample2d_config{.factor = {2, 0}}>, tern::reference> k;
