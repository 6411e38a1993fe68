// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The norms of the compiled part (family/contraction/simd/compiled.hpp): layer and group norms with scale and shift,
// RMS norms with scale, batch norms with scale and shift, which may end with a residual and a relu. Files that link it
// lack norm_steps::rows, which saves code elsewhere.
#pragma once

#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/family/reduction/normalization.hpp"
#include "tern/family/reduction/simd.hpp"

#if !defined(TERN_COMPILES_NORMS)
#define TERN_COMPILES_NORMS extern
#endif

namespace tern::inline TERN_ISA::impl {
template <class T>
using compiled_norms = normalization_kernel<simd<>>::parts<T>;

/// Norms over the channels of samples: centred ones have a shift.
constexpr norm_steps compiled_steps(bool center) { return {.center = center, .shift = center}; }
constexpr norm_steps compiled_batch_steps(bool residual, bool relu) {
  return {.residual = residual, .act = relu ? activation::relu : activation::none, .batch = true};
}
template <class T, bool Center>
using compiled_norm = norm_values<T, compiled_steps(Center)>;
template <class T, bool Center, bool Add>
using compiled_norm_gradient = norm_gradient<T, compiled_steps(Center).of_gradient(), Add>;
template <class T, bool Residual, bool Relu>
using compiled_batch_norm = norm_values<T, compiled_batch_steps(Residual, Relu)>;
template <class T, bool Add>
using compiled_batch_norm_gradient = norm_gradient<T, compiled_batch_steps(false, false).of_gradient(), Add>;

}  // namespace tern::inline TERN_ISA::impl

#define TERN_COMPILED_NORM(T, ...)                                                                        \
  TERN_COMPILES_NORMS template void tern::impl::compiled_norms<T>::run(const __VA_ARGS__&, tern::index_t, \
                                                                       tern::index_t);
#define TERN_COMPILED_NORMS_OF(T, Center)                                     \
  TERN_COMPILED_NORM(T, tern::impl::compiled_norm<T, Center>)                 \
  TERN_COMPILED_NORM(T, tern::impl::compiled_norm_gradient<T, Center, false>) \
  TERN_COMPILED_NORM(T, tern::impl::compiled_norm_gradient<T, Center, true>)
#define TERN_COMPILED_NORMS(T)                                              \
  TERN_COMPILED_NORMS_OF(T, true)                                           \
  TERN_COMPILED_NORMS_OF(T, false)                                          \
  TERN_COMPILED_NORM(T, tern::impl::compiled_batch_norm<T, false, false>)   \
  TERN_COMPILED_NORM(T, tern::impl::compiled_batch_norm<T, false, true>)    \
  TERN_COMPILED_NORM(T, tern::impl::compiled_batch_norm<T, true, true>)     \
  TERN_COMPILED_NORM(T, tern::impl::compiled_batch_norm_gradient<T, false>) \
  TERN_COMPILED_NORM(T, tern::impl::compiled_batch_norm_gradient<T, true>)

TERN_COMPILED_NORMS(float)
TERN_COMPILED_NORMS(double)
