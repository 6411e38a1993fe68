// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses that sum over elements, and sums over positions, of the compiled part (family/contraction/simd/compiled.hpp):
// gradients of biases, of scale and shift of norms, statistics of channels.
#pragma once

#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/family/reduction/loss.hpp"
#include "tern/family/reduction/normalization.hpp"
#include "tern/family/reduction/place_sums.hpp"
#include "tern/family/reduction/simd.hpp"

#if !defined(TERN_COMPILES_SUMS)
#define TERN_COMPILES_SUMS extern
#endif

namespace tern::inline TERN_ISA::impl {
template <class T>
using compiled_losses = loss_kernel<simd<>>::parts<T>;
template <class T>
using compiled_sums = place_sums_kernel<simd<>>::parts<T>;
template <class T>
using compiled_sums_core = compiled_sums<T>::core;
template <bool Add>
using compiled_bias_terms = tile::bias_terms<activation::none, Add>;
}  // namespace tern::inline TERN_ISA::impl

#define TERN_COMPILED_LOSS(T, Kind)                                     \
  TERN_COMPILES_SUMS template void tern::impl::compiled_losses<T>::run( \
      const tern::element_sums<T, tern::tile::loss_sum<tern::loss_kind::Kind>>&, tern::index_t, tern::index_t);
// A task's part; and that of tasks which share channels.
#define TERN_COMPILED_SUMS(T, ...)                                                                            \
  TERN_COMPILES_SUMS template void tern::impl::compiled_sums<T>::run(const tern::place_sums<T, __VA_ARGS__>&, \
                                                                     tern::index_t, tern::index_t);           \
  TERN_COMPILES_SUMS template void tern::impl::compiled_sums_core<T>::channels(                               \
      const tern::place_sums<T, __VA_ARGS__>&, tern::index_t, tern::index_t);                                 \
  TERN_COMPILES_SUMS template void tern::impl::compiled_sums_core<T>::chunk(                                  \
      const tern::place_sums<T, __VA_ARGS__>&, const tern::sample_chunk&, tern::index_t, tern::index_t,       \
      T* const(&)[__VA_ARGS__::results]);
#define TERN_COMPILED_SUMS_OF(T)                                    \
  TERN_COMPILED_LOSS(T, squared_error)                              \
  TERN_COMPILED_LOSS(T, bce_with_logits)                            \
  TERN_COMPILED_LOSS(T, gaussian_nll)                               \
  TERN_COMPILED_LOSS(T, gaussian_kl)                                \
  TERN_COMPILED_SUMS(T, tern::impl::compiled_bias_terms<false>)     \
  TERN_COMPILED_SUMS(T, tern::impl::compiled_bias_terms<true>)      \
  TERN_COMPILED_SUMS(T, tern::tile::moment_terms<false>)            \
  TERN_COMPILED_SUMS(T, tern::tile::norm_weight_terms<true, false>) \
  TERN_COMPILED_SUMS(T, tern::tile::norm_weight_terms<true, true>)  \
  TERN_COMPILED_SUMS(T, tern::tile::norm_weight_terms<false, false>)

TERN_COMPILED_SUMS_OF(float)
TERN_COMPILED_SUMS_OF(double)
