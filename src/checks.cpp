// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The error sentences of the compiled part.
#define TERN_COMPILES_SENTENCES
#include "tern/kernel/checked_call.hpp"
