// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// error: tinted: s has an axis channel, which y has not
#include "tern/reference.hpp"
#define OWN_MAP_INPUTS 2
#define OWN_MAP_SHAPE "n channel spatial..."
#include "tests/compile_fail/own_map.hpp"
