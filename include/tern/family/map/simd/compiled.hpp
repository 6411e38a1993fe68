// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The maps of the compiled part (family/contraction/simd/compiled.hpp): activations and residual sums with their
// gradients, optimisers, dropout and samples of a normal distribution.
#pragma once

#include "tern/core/activation.hpp"
#include "tern/core/config.hpp"
#include "tern/core/epilogue.hpp"
#include "tern/family/map/drawing.hpp"
#include "tern/family/map/mapping.hpp"
#include "tern/family/map/optimizer.hpp"
#include "tern/family/map/simd.hpp"

#if !defined(TERN_COMPILES)
#define TERN_COMPILES extern
#endif

namespace tern::inline TERN_ISA::impl {
template <class T>
using compiled_maps = mapping_kernel<simd<>>::parts<T>;
template <activation::function A, bool Residual>
using compiled_map = epilogue_map<epilogue{.residual = Residual, .act = A}>;
template <activation::function A, bool Add>
using compiled_map_gradient = epilogue_gradient_map<false, A, Add>;
template <class T, bool Momentum, bool Nesterov>
using compiled_sgd = tile::sgd_map<sgd_config{.momentum = Momentum, .nesterov = Nesterov}, T>;
template <class T, bool Decoupled>
using compiled_adam = tile::adam_map<adam_config{.decoupled = Decoupled}, T>;
template <class T, bool Momentum>
using compiled_rmsprop = tile::rmsprop_map<rmsprop_config{.momentum = Momentum}, T>;
}  // namespace tern::inline TERN_ISA::impl

#define TERN_COMPILED_CALL(T, ...) \
  TERN_COMPILES template void tern::impl::compiled_maps<T>::run(const __VA_ARGS__&, tern::index_t, tern::index_t);
#define TERN_COMPILED_MAPPING(T, ...) TERN_COMPILED_CALL(T, tern::mapping<T, __VA_ARGS__>)
#define TERN_COMPILED_DRAWING(T, ...) TERN_COMPILED_CALL(T, tern::drawing<T, __VA_ARGS__>)
#define TERN_COMPILED_ACTIVATION(T, A)                                                    \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_map<tern::activation::A, false>)          \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_map_gradient<tern::activation::A, false>) \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_map_gradient<tern::activation::A, true>)
#define TERN_COMPILED_MAPS(T)                                                      \
  TERN_COMPILED_ACTIVATION(T, none)                                                \
  TERN_COMPILED_ACTIVATION(T, relu)                                                \
  TERN_COMPILED_ACTIVATION(T, leaky_relu)                                          \
  TERN_COMPILED_ACTIVATION(T, sigmoid)                                             \
  TERN_COMPILED_ACTIVATION(T, tanh)                                                \
  TERN_COMPILED_ACTIVATION(T, gelu)                                                \
  TERN_COMPILED_ACTIVATION(T, gelu_tanh)                                           \
  TERN_COMPILED_ACTIVATION(T, silu)                                                \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_map<tern::activation::none, true>) \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_map<tern::activation::relu, true>) \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_sgd<T, false, false>)              \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_sgd<T, true, false>)               \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_sgd<T, true, true>)                \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_adam<T, false>)                    \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_adam<T, true>)                     \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_rmsprop<T, false>)                 \
  TERN_COMPILED_MAPPING(T, tern::impl::compiled_rmsprop<T, true>)                  \
  TERN_COMPILED_MAPPING(T, tern::tile::moving_average_map<T>)                      \
  TERN_COMPILED_DRAWING(T, tern::tile::dropping<T, false, false>)                  \
  TERN_COMPILED_DRAWING(T, tern::tile::dropping<T, false, true>)                   \
  TERN_COMPILED_DRAWING(T, tern::tile::dropping<T, true, false>)                   \
  TERN_COMPILED_DRAWING(T, tern::tile::dropping<T, true, true>)                    \
  TERN_COMPILED_DRAWING(T, tern::tile::normal_sampling<T>)                         \
  TERN_COMPILED_DRAWING(T, tern::tile::normal_sampling_gradient<T, false>)         \
  TERN_COMPILED_DRAWING(T, tern::tile::normal_sampling_gradient<T, true>)

TERN_COMPILED_MAPS(float)
TERN_COMPILED_MAPS(double)
