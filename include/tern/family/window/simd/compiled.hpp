// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pools of the compiled part (family/contraction/simd/compiled.hpp).
#pragma once

#include "tern/core/config.hpp"
#include "tern/family/window/pooling.hpp"
#include "tern/family/window/simd.hpp"

#if !defined(TERN_COMPILES)
#define TERN_COMPILES extern
#endif

namespace tern::inline TERN_ISA::impl {
template <class T>
using compiled_pools = pooling_kernel<simd<>>::parts<T>;
}  // namespace tern::inline TERN_ISA::impl

#define TERN_COMPILED_POOL(T, ...) \
  TERN_COMPILES template void tern::impl::compiled_pools<T>::run(const __VA_ARGS__&, tern::index_t, tern::index_t);
#define TERN_COMPILED_POOL_GRADIENT(T, Shares)                                    \
  TERN_COMPILED_POOL(T, tern::pool_gradient<T, tern::pool_shares::Shares, false>) \
  TERN_COMPILED_POOL(T, tern::pool_gradient<T, tern::pool_shares::Shares, true>)
#define TERN_COMPILED_POOLS(T)                                                 \
  TERN_COMPILED_POOL(T, tern::pool_values<T, tern::pool_kind::max, false>)     \
  TERN_COMPILED_POOL(T, tern::pool_values<T, tern::pool_kind::max, true>)      \
  TERN_COMPILED_POOL(T, tern::pool_values<T, tern::pool_kind::average, false>) \
  TERN_COMPILED_POOL_GRADIENT(T, all)                                          \
  TERN_COMPILED_POOL_GRADIENT(T, given)                                        \
  TERN_COMPILED_POOL_GRADIENT(T, found)

TERN_COMPILED_POOLS(float)
TERN_COMPILED_POOLS(double)
