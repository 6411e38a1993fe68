// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations on one register that xsimd lacks, implements differently, or compiles with warnings.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/cpu/arch.hpp"
#include "tern/exec/cpu/batch.hpp"

#if defined(TERN_HAS_AVX2)
#include <immintrin.h>
#endif
#if defined(TERN_HAS_NEON64)
#include <arm_neon.h>
#endif

#if defined(TERN_HAS_VECTORS)

namespace tern::inline TERN_ISA::impl {

#if defined(TERN_HAS_AVX2)
/// The mask of the first n lanes, for maskload and maskstore.
TERN_INLINE __m256i first_lanes(index_t n, std::integral_constant<int, 4>) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
TERN_INLINE __m256i first_lanes(index_t n, std::integral_constant<int, 8>) {
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
#endif

/// fma of registers. xsimd 8.1 lacks it for AVX-512. For emulated and future architectures it may multiply and add,
/// with two roundings.
template <class Batch>
TERN_INLINE Batch fma_register(const Batch& a, const Batch& b, const Batch& c) {
  using T = typename Batch::value_type;
  using A = typename Batch::arch_type;
#if defined(TERN_HAS_AVX512)
  if constexpr (std::is_same_v<A, avx512_arch> && std::is_same_v<T, float>)
    return _mm512_fmadd_ps(a, b, c);
  else if constexpr (std::is_same_v<A, avx512_arch> && std::is_same_v<T, double>)
    return _mm512_fmadd_pd(a, b, c);
  else
#endif
#if defined(TERN_HAS_AVX2)
      if constexpr (std::is_same_v<A, avx2_arch> && std::is_same_v<T, float>)
    return _mm256_fmadd_ps(a, b, c);
  else if constexpr (std::is_same_v<A, avx2_arch> && std::is_same_v<T, double>)
    return _mm256_fmadd_pd(a, b, c);
  else if constexpr (std::is_same_v<A, sse4_arch> && std::is_same_v<T, float>)
    return _mm_fmadd_ps(a, b, c);
  else if constexpr (std::is_same_v<A, sse4_arch> && std::is_same_v<T, double>)
    return _mm_fmadd_pd(a, b, c);
  else
#endif
#if defined(TERN_HAS_NEON64)
      if constexpr (std::is_same_v<A, neon64_arch> && std::is_same_v<T, float>)
    return vfmaq_f32(c, a, b);
  else if constexpr (std::is_same_v<A, neon64_arch> && std::is_same_v<T, double>)
    return vfmaq_f64(c, a, b);
  else
#endif
#if defined(__SSE2__)
      if constexpr (std::is_same_v<A, sse2_arch>)
    return a * b + c;  // SSE2 has no fma: only relaxed numerics get here, exact ones refuse this unit
  else
#endif
  {
    T x[Batch::size], y[Batch::size], z[Batch::size];
    a.store_unaligned(x);
    b.store_unaligned(y);
    c.store_unaligned(z);
    for (std::size_t i = 0; i < Batch::size; ++i) z[i] = math::fma(x[i], y[i], z[i]);
    return Batch::load_unaligned(z);
  }
}

/// The quotient of registers, rounded. xsimd divides float32 through an approximate reciprocal on NEON.
template <class Batch>
TERN_INLINE Batch divide_register(const Batch& a, const Batch& b) {
#if defined(TERN_HAS_NEON64)
  if constexpr (std::is_same_v<Batch, batch<float, neon64_arch>>)
    return vdivq_f32(a, b);
  else
#endif
    return a / b;
}

/// The square root of a register, rounded.
template <class Batch>
TERN_INLINE Batch sqrt_register(const Batch& a) {
#if defined(TERN_HAS_AVX512)
  if constexpr (std::is_same_v<Batch, batch<float, avx512_arch>>)
    return _mm512_maskz_sqrt_ps(0xffff, a);
  else if constexpr (std::is_same_v<Batch, batch<double, avx512_arch>>)
    return _mm512_maskz_sqrt_pd(0xff, a);
  else
#endif
#if defined(TERN_HAS_NEON64)
      if constexpr (std::is_same_v<Batch, batch<float, neon64_arch>>)
    return vsqrtq_f32(a);
  else if constexpr (std::is_same_v<Batch, batch<double, neon64_arch>>)
    return vsqrtq_f64(a);
  else
#endif
    return sqrt(a);
}

/// The exact products of the low halves of 64-bit integers.
template <class Batch>
TERN_INLINE Batch product_of_low_register(const Batch& a, const Batch& b) {
#if defined(TERN_HAS_AVX512)
  if constexpr (std::is_same_v<Batch, batch<std::uint64_t, avx512_arch>>)
    return _mm512_maskz_mul_epu32(0xff, a, b);
  else
#endif
#if defined(TERN_HAS_AVX2)
      if constexpr (std::is_same_v<Batch, batch<std::uint64_t, avx2_arch>>)
    return _mm256_mul_epu32(a, b);
  else
#endif
#if defined(TERN_HAS_NEON64)
      if constexpr (std::is_same_v<Batch, batch<std::uint64_t, neon64_arch>>)
    return vmull_u32(vmovn_u64(a), vmovn_u64(b));
  else
#endif
  {
    std::uint64_t x[Batch::size], y[Batch::size];
    a.store_unaligned(x);
    b.store_unaligned(y);
    for (std::size_t i = 0; i < Batch::size; ++i) x[i] = math::product_of_low(x[i], y[i]);
    return Batch::load_unaligned(x);
  }
}

/// a if it is larger (or smaller), else b: the maximum and minimum of x86. Those of other processors, and xsimd's,
/// treat NaN and zeros differently. On AVX-512 under a mask of all lanes, like the shifts below.
template <bool Larger, class Batch>
TERN_INLINE Batch extreme_register(const Batch& a, const Batch& b) {
#if defined(TERN_HAS_AVX512)
  if constexpr (std::is_same_v<Batch, batch<float, avx512_arch>>)
    return Larger ? _mm512_maskz_max_ps(0xffff, a, b) : _mm512_maskz_min_ps(0xffff, a, b);
  else if constexpr (std::is_same_v<Batch, batch<double, avx512_arch>>)
    return Larger ? _mm512_maskz_max_pd(0xff, a, b) : _mm512_maskz_min_pd(0xff, a, b);
  else
#endif
#if defined(TERN_HAS_AVX2)
      if constexpr (std::is_same_v<Batch, batch<float, avx2_arch>>)
    return Larger ? _mm256_max_ps(a, b) : _mm256_min_ps(a, b);
  else if constexpr (std::is_same_v<Batch, batch<double, avx2_arch>>)
    return Larger ? _mm256_max_pd(a, b) : _mm256_min_pd(a, b);
  else
#endif
    return select(Larger ? a > b : a < b, a, b);
}

/// Hides the origin of a register from the compiler, so that it cannot fuse a product into the following sum.
template <class Register>
TERN_INLINE Register opaque(Register r) {
#if defined(__x86_64__)
  if constexpr (!std::is_class_v<Register>) __asm__("" : "+v"(r));  // v: any of 32 with AVX-512
#elif defined(__aarch64__)
  if constexpr (!std::is_class_v<Register>) __asm__("" : "+w"(r));
#else
  if constexpr (false) {
  }
#endif
  else
    __asm__("" : "+m"(r));
  return r;
}

/// Operations on the two halves of a register. Masked and generic forms with all lanes on compile to the plain
/// instructions; g++ 12 warns about an uninitialised value in its own plain intrinsics.
template <class T, class Arch>
struct pairs {
  static constexpr bool available = false;
};

#if defined(TERN_HAS_AVX512)
template <>
struct pairs<float, avx512_arch> {
  static constexpr bool available = true;
  TERN_INLINE static __m512 join(__m256 low, __m256 high) {
    return _mm512_maskz_insertf32x8(0xffff, _mm512_castps256_ps512(low), high, 1);
  }
  TERN_INLINE static __m256 low(__m512 x) { return __builtin_shufflevector(x, x, 0, 1, 2, 3, 4, 5, 6, 7); }
  TERN_INLINE static __m256 high(__m512 x) { return _mm512_maskz_extractf32x8_ps(0xff, x, 1); }
  template <int K>
  TERN_INLINE static __m512 spread(__m512 x) {
    return _mm512_maskz_permute_ps(0xffff, _mm512_maskz_shuffle_f32x4(0xffff, x, x, K < 4 ? 0xa0 : 0xf5), K % 4 * 0x55);
  }
};
template <>
struct pairs<double, avx512_arch> {
  static constexpr bool available = true;
  TERN_INLINE static __m512d join(__m256d low, __m256d high) {
    return _mm512_maskz_insertf64x4(0xff, _mm512_castpd256_pd512(low), high, 1);
  }
  TERN_INLINE static __m256d low(__m512d x) { return __builtin_shufflevector(x, x, 0, 1, 2, 3); }
  TERN_INLINE static __m256d high(__m512d x) { return _mm512_maskz_extractf64x4_pd(0xf, x, 1); }
  template <int K>
  TERN_INLINE static __m512d spread(__m512d x) {
    return _mm512_maskz_permutex_pd(0xff, x, K * 0x55);
  }
};
#endif
#if defined(TERN_HAS_AVX2)
template <>
struct pairs<float, avx2_arch> {
  static constexpr bool available = true;
  TERN_INLINE static __m256 join(__m128 low, __m128 high) { return _mm256_set_m128(high, low); }
  TERN_INLINE static __m128 low(__m256 x) { return _mm256_castps256_ps128(x); }
  TERN_INLINE static __m128 high(__m256 x) { return _mm256_extractf128_ps(x, 1); }
  template <int K>
  TERN_INLINE static __m256 spread(__m256 x) {
    return _mm256_permute_ps(x, K * 0x55);
  }
};
#endif

/// x in all lanes. The constructor of xsimd 8.1 knows neon64 only under its own name, except for double.
template <class Batch, class T>
TERN_INLINE Batch same_lanes(T x) {
#if defined(TERN_HAS_NEON64)
  if constexpr (std::is_same_v<Batch, batch<float, neon64_arch>>)
    return vdupq_n_f32(x);
  else if constexpr (std::is_same_v<Batch, batch<std::uint32_t, neon64_arch>>)
    return vdupq_n_u32(x);
  else if constexpr (std::is_same_v<Batch, batch<std::uint64_t, neon64_arch>>)
    return vdupq_n_u64(x);
  else
#endif
    return Batch(x);
}

/// Logical shifts of the bits. On AVX-512 under a mask of all lanes, which costs nothing: g++ 12 warns about an
/// uninitialised register in the intrinsics without a mask (GCC bug 105593).
template <class Batch>
TERN_INLINE Batch shift_left(const Batch& a, int n) {
#if defined(TERN_HAS_AVX512)
  if constexpr (std::is_same_v<Batch, batch<std::uint32_t, avx512_arch>>)
    return _mm512_maskz_slli_epi32(0xffff, a, static_cast<unsigned>(n));
  else if constexpr (std::is_same_v<Batch, batch<std::uint64_t, avx512_arch>>)
    return _mm512_maskz_slli_epi64(0xff, a, static_cast<unsigned>(n));
  else
#endif
    return a << n;
}
template <class Batch>
TERN_INLINE Batch shift_right(const Batch& a, int n) {
#if defined(TERN_HAS_AVX512)
  if constexpr (std::is_same_v<Batch, batch<std::uint32_t, avx512_arch>>)
    return _mm512_maskz_srli_epi32(0xffff, a, static_cast<unsigned>(n));
  else if constexpr (std::is_same_v<Batch, batch<std::uint64_t, avx512_arch>>)
    return _mm512_maskz_srli_epi64(0xff, a, static_cast<unsigned>(n));
  else
#endif
    return a >> n;
}

}  // namespace tern::inline TERN_ISA::impl

#endif
