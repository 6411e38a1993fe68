// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: coupling: .bits of a fixed-point stream must be 0 for the default, or from 1 to 30, in double to 62
#include "tern/reference.hpp"

tern::kernel<tern::coupling<tern::coupling_config{.bits = 31}>, tern::reference> k;
