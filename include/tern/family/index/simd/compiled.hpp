// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rearrangements and resampling of the compiled part (family/contraction/simd/compiled.hpp).
#pragma once

#include "tern/core/config.hpp"
#include "tern/family/index/rearrangement.hpp"
#include "tern/family/index/resampling.hpp"
#include "tern/family/index/simd.hpp"

#if !defined(TERN_COMPILES)
#define TERN_COMPILES extern
#endif

namespace tern::inline TERN_ISA::impl {
template <class T>
using compiled_moves = rearrangement_kernel<simd<>>::parts<T>;
}  // namespace tern::inline TERN_ISA::impl

#define TERN_COMPILED_MOVE(T, ...) \
  TERN_COMPILES template void tern::impl::compiled_moves<T>::run(const __VA_ARGS__&, tern::index_t, tern::index_t);
#define TERN_COMPILED_MAP(T, Map)                                 \
  TERN_COMPILED_MOVE(T, tern::rearrangement<T, tern::Map, false>) \
  TERN_COMPILED_MOVE(T, tern::rearrangement<T, tern::Map, true>)
#define TERN_COMPILED_RESAMPLING(T, Pass, Axis)                                            \
  TERN_COMPILED_MOVE(T, tern::resampling<T, tern::resample_pass::Pass, tern::Axis, false>) \
  TERN_COMPILED_MOVE(T, tern::resampling<T, tern::resample_pass::Pass, tern::Axis, true>)
#define TERN_COMPILED_MOVES(T)                        \
  TERN_COMPILED_MAP(T, identity_map)                  \
  TERN_COMPILED_MAP(T, repeat_map)                    \
  TERN_COMPILED_MAP(T, pad_map)                       \
  TERN_COMPILED_MAP(T, depth_map<false>)              \
  TERN_COMPILED_MAP(T, depth_map<true>)               \
  TERN_COMPILED_MAP(T, shuffle_map)                   \
  TERN_COMPILED_RESAMPLING(T, forward, upsample_axis) \
  TERN_COMPILED_RESAMPLING(T, data, upsample_axis)    \
  TERN_COMPILED_RESAMPLING(T, data, pad_axis)

TERN_COMPILED_MOVES(float)
TERN_COMPILED_MOVES(double)
