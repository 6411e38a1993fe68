// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax and cross-entropy of the compiled part.
#define TERN_COMPILES
#include "tern/family/reduction/simd/compiled.hpp"
