// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: tinted: its map has 3 inputs and 1 output, but 3 tensors are declared
#include "tern/reference.hpp"
#define OWN_MAP_INPUTS 3
#define OWN_MAP_SHAPE "n channels spatial..."
#include "tests/compile_fail/own_map.hpp"
