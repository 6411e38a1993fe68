// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A seeded mistake for symbols.py to find: a function with the same name for every instruction set.
#include "tern/core/config.hpp"

namespace tern {
__attribute__((noinline)) inline float leaked(float x) { return x * x; }
inline namespace TERN_ISA {
__attribute__((noinline)) inline float kept(float x) { return leaked(x) + 1; }
}  // namespace TERN_ISA
float use(float x) { return kept(x); }
}  // namespace tern
