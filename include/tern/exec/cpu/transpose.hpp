// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/exec/cpu/lanes.hpp"

namespace tern::inline TERN_ISA {

/// Transposes a square of V::size registers: swaps lane j of register i with lane i of register j. Cost: V::size *
/// log2(V::size) shuffles for AVX-512 and AVX2, a detour through memory elsewhere.
template <class V>
TERN_INLINE void transpose(V (&r)[V::size]) {
  using T = typename V::value_type;
  if constexpr (V::size > 1) {
    T x[V::size * V::size], y[V::size * V::size];
    for (int i = 0; i < V::size; ++i) r[i].store(x + i * V::size);
    for (int i = 0; i < V::size; ++i)
      for (int j = 0; j < V::size; ++j) y[i * V::size + j] = x[j * V::size + i];
    for (int i = 0; i < V::size; ++i) r[i] = V::load(y + i * V::size);
  }
}

// The masked forms with all lanes on are the plain instructions; g++ 12 warns about an uninitialised value in its own
// plain intrinsics.
#if defined(TERN_HAS_AVX512)
TERN_INLINE void transpose(lanes<float, avx512_arch> (&r)[16]) {
  using V = impl::batch<float, avx512_arch>;
  constexpr __mmask16 all = 0xffff;
  __m512 a[16], b[16];
  TERN_UNROLL
  for (int i = 0; i < 16; i += 2) {
    a[i] = _mm512_maskz_unpacklo_ps(all, r[i].native(), r[i + 1].native());
    a[i + 1] = _mm512_maskz_unpackhi_ps(all, r[i].native(), r[i + 1].native());
  }
  TERN_UNROLL
  for (int i = 0; i < 16; i += 4) {
    b[i] = _mm512_maskz_shuffle_ps(all, a[i], a[i + 2], 0x44);
    b[i + 1] = _mm512_maskz_shuffle_ps(all, a[i], a[i + 2], 0xee);
    b[i + 2] = _mm512_maskz_shuffle_ps(all, a[i + 1], a[i + 3], 0x44);
    b[i + 3] = _mm512_maskz_shuffle_ps(all, a[i + 1], a[i + 3], 0xee);
  }
  TERN_UNROLL
  for (int i = 0; i < 4; ++i) {  // now 4 x 4 blocks of 128 bits
    a[i] = _mm512_maskz_shuffle_f32x4(all, b[i], b[i + 4], 0x88);
    a[i + 4] = _mm512_maskz_shuffle_f32x4(all, b[i], b[i + 4], 0xdd);
    a[i + 8] = _mm512_maskz_shuffle_f32x4(all, b[i + 8], b[i + 12], 0x88);
    a[i + 12] = _mm512_maskz_shuffle_f32x4(all, b[i + 8], b[i + 12], 0xdd);
  }
  TERN_UNROLL
  for (int i = 0; i < 4; ++i) {
    r[i] = V(_mm512_maskz_shuffle_f32x4(all, a[i], a[i + 8], 0x88));
    r[i + 8] = V(_mm512_maskz_shuffle_f32x4(all, a[i], a[i + 8], 0xdd));
    r[i + 4] = V(_mm512_maskz_shuffle_f32x4(all, a[i + 4], a[i + 12], 0x88));
    r[i + 12] = V(_mm512_maskz_shuffle_f32x4(all, a[i + 4], a[i + 12], 0xdd));
  }
}

TERN_INLINE void transpose(lanes<double, avx512_arch> (&r)[8]) {
  using V = impl::batch<double, avx512_arch>;
  constexpr __mmask8 all = 0xff;
  __m512d a[8], b[8];
  TERN_UNROLL
  for (int i = 0; i < 8; i += 2) {
    a[i] = _mm512_maskz_unpacklo_pd(all, r[i].native(), r[i + 1].native());
    a[i + 1] = _mm512_maskz_unpackhi_pd(all, r[i].native(), r[i + 1].native());
  }
  TERN_UNROLL
  for (int i = 0; i < 2; ++i) {
    b[i] = _mm512_maskz_shuffle_f64x2(all, a[i], a[i + 2], 0x88);
    b[i + 2] = _mm512_maskz_shuffle_f64x2(all, a[i], a[i + 2], 0xdd);
    b[i + 4] = _mm512_maskz_shuffle_f64x2(all, a[i + 4], a[i + 6], 0x88);
    b[i + 6] = _mm512_maskz_shuffle_f64x2(all, a[i + 4], a[i + 6], 0xdd);
  }
  TERN_UNROLL
  for (int i = 0; i < 4; ++i) {
    r[i] = V(_mm512_maskz_shuffle_f64x2(all, b[i], b[i + 4], 0x88));
    r[i + 4] = V(_mm512_maskz_shuffle_f64x2(all, b[i], b[i + 4], 0xdd));
  }
}
#endif

#if defined(TERN_HAS_AVX2)
TERN_INLINE void transpose(lanes<float, avx2_arch> (&r)[8]) {
  using V = impl::batch<float, avx2_arch>;
  __m256 a[8], b[8];
  TERN_UNROLL
  for (int i = 0; i < 8; i += 2) {
    a[i] = _mm256_unpacklo_ps(r[i].native(), r[i + 1].native());
    a[i + 1] = _mm256_unpackhi_ps(r[i].native(), r[i + 1].native());
  }
  TERN_UNROLL
  for (int i = 0; i < 8; i += 4) {
    b[i] = _mm256_shuffle_ps(a[i], a[i + 2], 0x44);
    b[i + 1] = _mm256_shuffle_ps(a[i], a[i + 2], 0xee);
    b[i + 2] = _mm256_shuffle_ps(a[i + 1], a[i + 3], 0x44);
    b[i + 3] = _mm256_shuffle_ps(a[i + 1], a[i + 3], 0xee);
  }
  TERN_UNROLL
  for (int i = 0; i < 4; ++i) {
    r[i] = V(_mm256_permute2f128_ps(b[i], b[i + 4], 0x20));
    r[i + 4] = V(_mm256_permute2f128_ps(b[i], b[i + 4], 0x31));
  }
}

TERN_INLINE void transpose(lanes<double, avx2_arch> (&r)[4]) {
  using V = impl::batch<double, avx2_arch>;
  const __m256d a = _mm256_unpacklo_pd(r[0].native(), r[1].native());
  const __m256d b = _mm256_unpackhi_pd(r[0].native(), r[1].native());
  const __m256d c = _mm256_unpacklo_pd(r[2].native(), r[3].native());
  const __m256d d = _mm256_unpackhi_pd(r[2].native(), r[3].native());
  r[0] = V(_mm256_permute2f128_pd(a, c, 0x20));
  r[1] = V(_mm256_permute2f128_pd(b, d, 0x20));
  r[2] = V(_mm256_permute2f128_pd(a, c, 0x31));
  r[3] = V(_mm256_permute2f128_pd(b, d, 0x31));
}
#endif

}  // namespace tern::inline TERN_ISA
