// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: upsample1d: every .factor must be at most 32768
#include "tern/reference.hpp"

tern::kernel<tern::upsample<1, tern::upsample1d_config{.factor = {100000}}>, tern::reference> k;
