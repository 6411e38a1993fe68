// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: pad1d: every .pad and .pad_end must be at most 2^30
#include "tern/reference.hpp"

tern::kernel<tern::pad<1, tern::pad_config<1>{.pad_end = {(1 << 30) + 1}}>, tern::reference> k;
