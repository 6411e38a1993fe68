// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax and cross-entropy of the compiled part (family/contraction/simd/compiled.hpp).
#pragma once

#include "tern/core/config.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/family/reduction/simd.hpp"
#include "tern/family/reduction/softmax.hpp"

#if !defined(TERN_COMPILES)
#define TERN_COMPILES extern
#endif

namespace tern::inline TERN_ISA::impl {
template <class T>
using compiled_rows = row_kernel<simd<>>::parts<T>;
}  // namespace tern::inline TERN_ISA::impl

#define TERN_COMPILED_ROWS(T, ...) \
  TERN_COMPILES template void tern::impl::compiled_rows<T>::run(const __VA_ARGS__&, tern::index_t, tern::index_t);
#define TERN_COMPILED_SOFTMAX(T, Log)                          \
  TERN_COMPILED_ROWS(T, tern::softmax_values<T, Log, false>)   \
  TERN_COMPILED_ROWS(T, tern::softmax_values<T, Log, true>)    \
  TERN_COMPILED_ROWS(T, tern::softmax_gradient<T, Log, false>) \
  TERN_COMPILED_ROWS(T, tern::softmax_gradient<T, Log, true>)
#define TERN_COMPILED_REDUCTIONS(T)                                    \
  TERN_COMPILED_SOFTMAX(T, false)                                      \
  TERN_COMPILED_SOFTMAX(T, true)                                       \
  TERN_COMPILED_ROWS(T, tern::cross_entropy_values<T, false>)          \
  TERN_COMPILED_ROWS(T, tern::cross_entropy_values<T, true>)           \
  TERN_COMPILED_ROWS(T, tern::cross_entropy_gradient<T, false, false>) \
  TERN_COMPILED_ROWS(T, tern::cross_entropy_gradient<T, true, false>)

TERN_COMPILED_REDUCTIONS(float)
TERN_COMPILED_REDUCTIONS(double)
