// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Non-temporal stores of whole cache lines, for results larger than the caches. They neither read the line first, as
// other stores do, nor evict other data.
#pragma once

#include <type_traits>

#include "tern/core/cache_line.hpp"
#include "tern/core/config.hpp"
#include "tern/exec/cpu/arch.hpp"
#include "tern/exec/cpu/lanes.hpp"

namespace tern::inline TERN_ISA {

/// True if a vector is a cache line with a non-temporal store.
template <class V>
inline constexpr bool has_non_temporal_stores =
#if defined(TERN_HAS_AVX512)
    std::is_same_v<typename V::arch_type, avx512_arch>;
#else
    false;
#endif

/// Stores v at p, a multiple of line_bytes. Call end_non_temporal_stores() before other threads may read it.
template <class V>
TERN_INLINE void store_non_temporal(V v, typename V::value_type* p) {
#if defined(TERN_HAS_AVX512)
  if constexpr (std::is_same_v<V, lanes<float, avx512_arch>>)
    _mm512_stream_ps(p, v.native());
  else if constexpr (std::is_same_v<V, lanes<double, avx512_arch>>)
    _mm512_stream_pd(p, v.native());
  else
#endif
    v.store(p);
}
template <class V>
TERN_INLINE void end_non_temporal_stores() {
#if defined(TERN_HAS_AVX512)
  if constexpr (has_non_temporal_stores<V>) _mm_sfence();
#endif
}

}  // namespace tern::inline TERN_ISA
