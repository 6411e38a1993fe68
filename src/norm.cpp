// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms of the compiled part.
#define TERN_COMPILES_NORMS
#include "tern/family/reduction/simd/compiled_norms.hpp"
