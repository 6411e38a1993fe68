// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps of the compiled part.
#define TERN_COMPILES
#include "tern/family/map/simd/compiled.hpp"
