// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program for machines with different instruction sets: the same kernels compiled once for each (CMake function
// tern_add_isas), chosen when the program runs (tern::dispatch).
#pragma once

#include "tern/exec/cpu/dispatch.hpp"
