// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contractions of the compiled part, for simd<> and simd<devices::native, numerics::relaxed>. Files that link it
// read declarations here; src/contraction.cpp sets TERN_COMPILES to nothing, which makes them definitions.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/core/order.hpp"
#include "tern/family/contraction/simd.hpp"

#if !defined(TERN_COMPILES)
#define TERN_COMPILES extern
#endif

namespace tern::inline TERN_ISA::impl {

/// The classes behind the compiled part: kernels for this translation unit's own instruction set.
template <class T>
using compiled_core = contraction_kernel<simd<>>::core<T>;
template <class T>
using compiled_short = contraction_kernel<simd<>>::short_product<T>;
template <class T>
using compiled_conv = tile::conv_parts<lanes<T, arch_of<devices::native>>,
                                       simd_kernels<devices::native, numerics::exact, tuning::automatic>::tuning<T>,
                                       devices::native.l2_bytes, compiled_paths>;
template <class T, bool Add, bool Open, weights W, index_t Chunk>
using compiled_contraction =
    contraction<T, epilogue{.accumulate = Add, .open = Open}, contraction_shape{.chunk = Chunk, .b = W}>;
template <class T, conv_pass P, bool Add, bool Open>
using compiled_conv_sums = conv_sums<T, P, epilogue{.accumulate = Add, .open = Open}>;

}  // namespace tern::inline TERN_ISA::impl

#define TERN_COMPILED_CONTRACTION(T, Add, Open, W, Chunk)                                                              \
  TERN_COMPILES template void tern::impl::compiled_core<T>::batch(                                                     \
      const tern::impl::compiled_contraction<T, Add, Open, W, Chunk>&, tern::index_t, tern::index_t, tern::workspace); \
  TERN_COMPILES template void tern::impl::compiled_core<T>::without_sum(                                               \
      const tern::impl::compiled_contraction<T, Add, Open, W, Chunk>&);                                                \
  TERN_COMPILES template void tern::impl::compiled_core<T>::rectangle(                                                 \
      const tern::impl::compiled_contraction<T, Add, Open, W, Chunk>&, tern::index_t, tern::index_t, tern::index_t,    \
      tern::index_t, tern::index_t, tern::workspace);
#define TERN_COMPILED_FORWARD(T, W)                                             \
  TERN_COMPILED_CONTRACTION(T, false, false, tern::weights::W, tern::dot_chunk) \
  TERN_COMPILED_CONTRACTION(T, true, false, tern::weights::W, tern::dot_chunk)  \
  TERN_COMPILED_CONTRACTION(T, false, true, tern::weights::W, tern::dot_chunk)  \
  TERN_COMPILED_CONTRACTION(T, true, true, tern::weights::W, tern::dot_chunk)
#define TERN_COMPILED_SHORT(T, V, Add)                                                                         \
  TERN_COMPILES template auto tern::impl::compiled_short<T>::function_of<V, Add>(tern::index_t, tern::index_t) \
      ->function;
#define TERN_COMPILED_CONV(T, P)              \
  TERN_COMPILED_CONV_SUMS(T, P, false, false) \
  TERN_COMPILED_CONV_SUMS(T, P, true, false)  \
  TERN_COMPILED_CONV_SUMS(T, P, false, true)  \
  TERN_COMPILED_CONV_SUMS(T, P, true, true)
#define TERN_COMPILED_CONV_SUMS(T, P, Add, Open)                 \
  TERN_COMPILES template void tern::impl::compiled_conv<T>::run( \
      const tern::impl::compiled_conv_sums<T, tern::conv_pass::P, Add, Open>&, tern::index_t, tern::index_t);
#define TERN_COMPILED_CONV_GRADIENT(T, Add)                                                                        \
  TERN_COMPILES template void tern::impl::compiled_conv<T>::run(const tern::conv_gradient<T, Add>&, tern::index_t, \
                                                                tern::index_t);
#define TERN_COMPILED_CONTRACTIONS(T)                                                    \
  TERN_COMPILED_FORWARD(T, strided)                                                      \
  TERN_COMPILED_FORWARD(T, packed)                                                       \
  TERN_COMPILED_FORWARD(T, packed_transposed)                                            \
  TERN_COMPILED_CONTRACTION(T, false, false, tern::weights::strided, tern::sample_grain) \
  TERN_COMPILED_CONTRACTION(T, true, false, tern::weights::strided, tern::sample_grain)
#define TERN_COMPILED_CONVOLUTIONS(T)   \
  TERN_COMPILED_CONV(T, forward)        \
  TERN_COMPILED_CONV(T, data)           \
  TERN_COMPILED_CONV_GRADIENT(T, false) \
  TERN_COMPILED_CONV_GRADIENT(T, true)

TERN_COMPILED_CONTRACTIONS(float)
TERN_COMPILED_CONTRACTIONS(double)
TERN_COMPILED_CONVOLUTIONS(float)
TERN_COMPILED_CONVOLUTIONS(double)
