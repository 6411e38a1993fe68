// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One program for several instruction sets: kernels are compiled once per set (CMake function tern_add_isas) and chosen
// at run time (tern::dispatch).
#pragma once

#include "tern/exec/cpu/dispatch.hpp"
