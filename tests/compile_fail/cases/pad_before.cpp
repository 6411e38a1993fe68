// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: pad2d: every .pad must be at least 0
#include "tern/reference.hpp"

tern::kernel<tern::pad<2, tern::pad2d_config{.pad = {2, -1}, .pad_end = 0}>, tern::reference> k;
