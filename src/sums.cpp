// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses and sums over positions of the compiled part.
#define TERN_COMPILES_SUMS
#include "tern/family/reduction/simd/compiled_sums.hpp"
