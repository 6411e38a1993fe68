// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of one register: xsimd batches with what kernels need on top (a real fma on every architecture, loads and
// stores of the first n lanes that touch nothing behind them, the bits as integers).
//
// The operations are hidden friends with the names of core/math/primitives.hpp, so elementary functions and tile
// arithmetic are written once for lanes and scalars. Nothing here reassociates or approximates.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/cpu/arch.hpp"

#if defined(TERN_HAS_AVX2)
#include <immintrin.h>
#endif
#if defined(TERN_HAS_NEON64)
#include <arm_neon.h>
#endif

namespace tern::inline TERN_ISA {

/// One vector register of T on the vector unit Arch.
template <class T, class Arch>
class lanes;

namespace impl {
template <class T, class Arch>
struct half_lanes {
  using type = lanes<T, typename half_arch<Arch>::type>;
};
template <class T, class Arch>
  requires std::is_void_v<typename half_arch<Arch>::type>
struct half_lanes<T, Arch> {
  using type = void;
};
}  // namespace impl

/// One lane, for machines without a vector unit (and the tails of those with one).
template <class T>
class lanes<T, scalar_arch> {
 public:
  using value_type = T;
  using arch_type = scalar_arch;
  using half = void;  ///< lanes of half the width
  static constexpr bool has_pairs = false;
  static constexpr bool has_masks = true;  ///< whether loads and stores of the first n lanes are instructions
  using mask = bool;
  using bits_type = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  static constexpr int size = 1;

  TERN_INLINE lanes() = default;
  TERN_INLINE lanes(T x) : v_(x) {}  // NOLINT: constants in formulas

  TERN_INLINE static lanes load(const T* p) { return *p; }
  TERN_INLINE static lanes load(const T* p, index_t n) { return n > 0 ? *p : T(0); }
  TERN_INLINE static lanes broadcast(const T* p) { return *p; }
  TERN_INLINE void store(T* p) const { *p = v_; }
  TERN_INLINE void store(T* p, index_t n) const {
    if (n > 0) *p = v_;
  }

  friend TERN_INLINE lanes operator+(lanes a, lanes b) { return a.v_ + b.v_; }
  friend TERN_INLINE lanes operator-(lanes a, lanes b) { return a.v_ - b.v_; }
  friend TERN_INLINE lanes operator*(lanes a, lanes b) { return a.v_ * b.v_; }
  friend TERN_INLINE lanes operator/(lanes a, lanes b) { return a.v_ / b.v_; }
  friend TERN_INLINE lanes operator-(lanes a) { return -a.v_; }
  friend TERN_INLINE mask operator<(lanes a, lanes b) { return a.v_ < b.v_; }
  friend TERN_INLINE mask operator>(lanes a, lanes b) { return a.v_ > b.v_; }
  friend TERN_INLINE mask operator==(lanes a, lanes b) { return a.v_ == b.v_; }
  friend TERN_INLINE mask operator!=(lanes a, lanes b) { return a.v_ != b.v_; }
  friend TERN_INLINE lanes fma(lanes a, lanes b, lanes c) { return math::fma(a.v_, b.v_, c.v_); }
  friend TERN_INLINE lanes product(lanes a, lanes b) { return math::product(a.v_, b.v_); }
  friend TERN_INLINE lanes larger(lanes a, lanes b) { return a.v_ > b.v_ ? a : b; }
  friend TERN_INLINE lanes select(mask m, lanes yes, lanes no) { return m ? yes : no; }
  friend TERN_INLINE lanes select_equal(bits_type a, bits_type b, lanes yes, lanes no) { return a == b ? yes : no; }
  friend TERN_INLINE bits_type bits(lanes a) { return math::bits(a.v_); }
  TERN_INLINE static lanes from_bits(bits_type i) { return math::from_bits<T>(i); }

 private:
  T v_;
};

#if defined(TERN_HAS_XSIMD)

namespace impl {

#if defined(TERN_HAS_AVX2)
/// The mask of the first n lanes, for maskload and maskstore.
TERN_INLINE __m256i first_lanes(index_t n, std::integral_constant<int, 4>) {
  return _mm256_cmpgt_epi32(_mm256_set1_epi32(static_cast<int>(n)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
}
TERN_INLINE __m256i first_lanes(index_t n, std::integral_constant<int, 8>) {
  return _mm256_cmpgt_epi64(_mm256_set1_epi64x(n), _mm256_setr_epi64x(0, 1, 2, 3));
}
#endif

/// fma of registers. xsimd 8.1 has none for AVX-512, and emulated and future architectures may multiply and add.
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
    return a * b + c;  // no fma in SSE2: for relaxed numerics only, exact ones refuse this unit
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
  if constexpr (std::is_same_v<Batch, xsimd::batch<float, neon64_arch>>)
    return vdivq_f32(a, b);
  else
#endif
    return a / b;
}

/// a where it is larger, else b: the maximum of x86. Those of other processors, and xsimd's, treat NaN and zeros in
/// ways of their own. On AVX-512 under a mask of all lanes, as shifts below.
template <class Batch>
TERN_INLINE Batch larger_register(const Batch& a, const Batch& b) {
#if defined(TERN_HAS_AVX512)
  if constexpr (std::is_same_v<Batch, xsimd::batch<float, avx512_arch>>)
    return _mm512_maskz_max_ps(0xffff, a, b);
  else if constexpr (std::is_same_v<Batch, xsimd::batch<double, avx512_arch>>)
    return _mm512_maskz_max_pd(0xff, a, b);
  else
#endif
#if defined(TERN_HAS_AVX2)
      if constexpr (std::is_same_v<Batch, xsimd::batch<float, avx2_arch>>)
    return _mm256_max_ps(a, b);
  else if constexpr (std::is_same_v<Batch, xsimd::batch<double, avx2_arch>>)
    return _mm256_max_pd(a, b);
  else
#endif
    return xsimd::select(a > b, a, b);
}

/// Hides from the compiler where a register comes from, so that a product is not fused into the sum behind it.
template <class Register>
TERN_INLINE Register opaque(Register r) {
#if defined(__x86_64__)
  if constexpr (!std::is_class_v<Register>) __asm__("" : "+x"(r));
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

/// Work on the two halves of a register. Masked and generic forms with all lanes on are the plain instructions; the
/// plain intrinsics of g++ 12 warn about an uninitialised value of their own.
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

/// x in all lanes. For neon64 the constructor of xsimd 8.1 knows only its own name of the architecture, except for
/// double.
template <class Batch, class T>
TERN_INLINE Batch same_lanes(T x) {
#if defined(TERN_HAS_NEON64)
  if constexpr (std::is_same_v<Batch, xsimd::batch<float, neon64_arch>>)
    return vdupq_n_f32(x);
  else if constexpr (std::is_same_v<Batch, xsimd::batch<std::uint32_t, neon64_arch>>)
    return vdupq_n_u32(x);
  else if constexpr (std::is_same_v<Batch, xsimd::batch<std::uint64_t, neon64_arch>>)
    return vdupq_n_u64(x);
  else
#endif
    return Batch(x);
}

/// Bits moved to the left or right, zeros moved in. On AVX-512 under a mask of all lanes, which costs nothing: g++ 12
/// warns of an uninitialised register in the intrinsics without a mask (GCC bug 105593).
template <class Batch>
TERN_INLINE Batch shift_left(const Batch& a, int n) {
#if defined(TERN_HAS_AVX512)
  if constexpr (std::is_same_v<Batch, xsimd::batch<std::uint32_t, avx512_arch>>)
    return _mm512_maskz_slli_epi32(0xffff, a, static_cast<unsigned>(n));
  else if constexpr (std::is_same_v<Batch, xsimd::batch<std::uint64_t, avx512_arch>>)
    return _mm512_maskz_slli_epi64(0xff, a, static_cast<unsigned>(n));
  else
#endif
    return a << n;
}
template <class Batch>
TERN_INLINE Batch shift_right(const Batch& a, int n) {
#if defined(TERN_HAS_AVX512)
  if constexpr (std::is_same_v<Batch, xsimd::batch<std::uint32_t, avx512_arch>>)
    return _mm512_maskz_srli_epi32(0xffff, a, static_cast<unsigned>(n));
  else if constexpr (std::is_same_v<Batch, xsimd::batch<std::uint64_t, avx512_arch>>)
    return _mm512_maskz_srli_epi64(0xff, a, static_cast<unsigned>(n));
  else
#endif
    return a >> n;
}

}  // namespace impl

template <class T, class Arch>
class lanes {
  using batch = xsimd::batch<T, Arch>;
  using integer = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

 public:
  using value_type = T;
  using arch_type = Arch;
  using batch_type = batch;
  using half = typename impl::half_lanes<T, Arch>::type;
  using mask = xsimd::batch_bool<T, Arch>;
  using bits_type = lanes<integer, Arch>;
  static constexpr int size = static_cast<int>(batch::size);
#if defined(TERN_HAS_AVX2)
  static constexpr bool has_masks = std::is_same_v<Arch, avx2_arch> || std::is_same_v<Arch, sse4_arch>
#if defined(TERN_HAS_AVX512)
                                    || std::is_same_v<Arch, avx512_arch>
#endif
      ;
#else
  static constexpr bool has_masks = false;
#endif

  TERN_INLINE lanes() = default;
  TERN_INLINE lanes(T x) : v_(impl::same_lanes<batch>(x)) {}  // NOLINT: constants in formulas
  TERN_INLINE lanes(batch v) : v_(v) {}                       // NOLINT

  /// All lanes from p, which needs no alignment.
  TERN_INLINE static lanes load(const T* p) { return batch::load_unaligned(p); }
  /// The first n lanes from p (0 <= n <= size), zeros behind them. Reads n elements.
  TERN_INLINE static lanes load(const T* p, index_t n) {
#if defined(TERN_HAS_AVX512)
    if constexpr (std::is_same_v<Arch, avx512_arch>) {
      if constexpr (sizeof(T) == 4)
        return batch(_mm512_maskz_loadu_ps(static_cast<__mmask16>((1u << n) - 1u), p));
      else
        return batch(_mm512_maskz_loadu_pd(static_cast<__mmask8>((1u << n) - 1u), p));
    }
#endif
#if defined(TERN_HAS_AVX2)
    if constexpr (std::is_same_v<Arch, avx2_arch>) {
      const __m256i m = impl::first_lanes(n, std::integral_constant<int, sizeof(T)>{});
      if constexpr (sizeof(T) == 4)
        return batch(_mm256_maskload_ps(p, m));
      else
        return batch(_mm256_maskload_pd(p, m));
    } else if constexpr (std::is_same_v<Arch, sse4_arch>) {
      const __m128i m = _mm256_castsi256_si128(impl::first_lanes(n, std::integral_constant<int, sizeof(T)>{}));
      if constexpr (sizeof(T) == 4)
        return batch(_mm_maskload_ps(p, m));
      else
        return batch(_mm_maskload_pd(p, m));
    }
#endif
    T x[size] = {};
    for (index_t i = 0; i < n; ++i) x[i] = p[i];
    return batch::load_unaligned(x);
  }
  /// One element in all lanes.
  TERN_INLINE static lanes broadcast(const T* p) { return lanes(*p); }
  TERN_INLINE void store(T* p) const { v_.store_unaligned(p); }
  /// The first n lanes to p (0 <= n <= size). Writes n elements.
  TERN_INLINE void store(T* p, index_t n) const {
#if defined(TERN_HAS_AVX512)
    if constexpr (std::is_same_v<Arch, avx512_arch>) {
      if constexpr (sizeof(T) == 4)
        _mm512_mask_storeu_ps(p, static_cast<__mmask16>((1u << n) - 1u), v_);
      else
        _mm512_mask_storeu_pd(p, static_cast<__mmask8>((1u << n) - 1u), v_);
      return;
    }
#endif
#if defined(TERN_HAS_AVX2)
    if constexpr (std::is_same_v<Arch, avx2_arch>) {
      const __m256i m = impl::first_lanes(n, std::integral_constant<int, sizeof(T)>{});
      if constexpr (sizeof(T) == 4)
        _mm256_maskstore_ps(p, m, v_);
      else
        _mm256_maskstore_pd(p, m, v_);
      return;
    } else if constexpr (std::is_same_v<Arch, sse4_arch>) {
      const __m128i m = _mm256_castsi256_si128(impl::first_lanes(n, std::integral_constant<int, sizeof(T)>{}));
      if constexpr (sizeof(T) == 4)
        _mm_maskstore_ps(p, m, v_);
      else
        _mm_maskstore_pd(p, m, v_);
      return;
    }
#endif
    T x[size];
    v_.store_unaligned(x);
    for (index_t i = 0; i < n; ++i) p[i] = x[i];
  }

  /// Whether the halves of a register can work on two rows of a narrow matrix at a time.
  static constexpr bool has_pairs = impl::pairs<T, Arch>::available;
  /// Two halves as one register.
  template <class Half>
    requires has_pairs && std::is_same_v<Half, half>
  TERN_INLINE static lanes join(Half low, Half high) {
    return batch(impl::pairs<T, Arch>::join(low.native(), high.native()));
  }
  TERN_INLINE auto low() const
    requires has_pairs
  {
    return half(typename half::batch_type(impl::pairs<T, Arch>::low(native())));
  }
  TERN_INLINE auto high() const
    requires has_pairs
  {
    return half(typename half::batch_type(impl::pairs<T, Arch>::high(native())));
  }
  /// In each half, lane K of that half everywhere.
  template <int K>
  TERN_INLINE lanes spread() const
    requires has_pairs
  {
    return batch(impl::pairs<T, Arch>::template spread<K>(native()));
  }
  TERN_INLINE typename batch::register_type native() const { return v_; }

  friend TERN_INLINE lanes operator+(lanes a, lanes b) { return a.v_ + b.v_; }
  friend TERN_INLINE lanes operator-(lanes a, lanes b) { return a.v_ - b.v_; }
  friend TERN_INLINE lanes operator*(lanes a, lanes b) { return a.v_ * b.v_; }
  friend TERN_INLINE lanes operator/(lanes a, lanes b) { return impl::divide_register(a.v_, b.v_); }
  friend TERN_INLINE lanes operator-(lanes a) { return from_bits(bits(a) ^ bits(lanes(T(-0.0)))); }
  friend TERN_INLINE mask operator<(lanes a, lanes b) { return a.v_ < b.v_; }
  friend TERN_INLINE mask operator>(lanes a, lanes b) { return a.v_ > b.v_; }
  friend TERN_INLINE mask operator==(lanes a, lanes b) { return a.v_ == b.v_; }
  friend TERN_INLINE mask operator!=(lanes a, lanes b) { return a.v_ != b.v_; }
  friend TERN_INLINE lanes fma(lanes a, lanes b, lanes c) { return impl::fma_register(a.v_, b.v_, c.v_); }
  friend TERN_INLINE lanes product(lanes a, lanes b) {
    return batch(impl::opaque(static_cast<typename batch::register_type>(a.v_ * b.v_)));
  }
  /// a where it is larger, else b: where they are equal or one is NaN, too.
  friend TERN_INLINE lanes larger(lanes a, lanes b) { return impl::larger_register(a.v_, b.v_); }
  friend TERN_INLINE lanes select(mask m, lanes yes, lanes no) { return xsimd::select(m, yes.v_, no.v_); }
  /// yes in the lanes where the bits of a and b are equal, else no. On AVX-512 without xsimd: 8.1 selects integers by
  /// macros that do not compile without optimisation.
  friend TERN_INLINE lanes select_equal(bits_type a, bits_type b, lanes yes, lanes no)
    requires std::is_floating_point_v<T>
  {
#if defined(TERN_HAS_AVX512)
    if constexpr (std::is_same_v<Arch, avx512_arch>) {
      if constexpr (sizeof(T) == 4)
        return batch(_mm512_mask_blend_ps(_mm512_cmpeq_epi32_mask(a.native(), b.native()), no.v_, yes.v_));
      else
        return batch(_mm512_mask_blend_pd(_mm512_cmpeq_epi64_mask(a.native(), b.native()), no.v_, yes.v_));
    } else
#endif
      return from_bits(bits_type(xsimd::select(a.v_ == b.v_, bits(yes).v_, bits(no).v_)));
  }
  friend TERN_INLINE bits_type bits(lanes a) { return cast<integer>(a.v_); }
  TERN_INLINE static lanes from_bits(bits_type i) { return bits_type::template cast<T>(i.v_); }

  // What integers (bits_type) have besides + and -.
  friend TERN_INLINE lanes operator&(lanes a, lanes b)
    requires std::is_integral_v<T>
  {
    return a.v_ & b.v_;
  }
  friend TERN_INLINE lanes operator|(lanes a, lanes b)
    requires std::is_integral_v<T>
  {
    return a.v_ | b.v_;
  }
  friend TERN_INLINE lanes operator^(lanes a, lanes b)
    requires std::is_integral_v<T>
  {
    return a.v_ ^ b.v_;
  }
  friend TERN_INLINE lanes operator~(lanes a)
    requires std::is_integral_v<T>
  {
    return ~a.v_;
  }
  friend TERN_INLINE lanes operator<<(lanes a, int n)
    requires std::is_integral_v<T>
  {
    return impl::shift_left(a.v_, n);
  }
  friend TERN_INLINE lanes operator>>(lanes a, int n)
    requires std::is_integral_v<T>
  {
    return impl::shift_right(a.v_, n);
  }

 private:
  /// xsimd's bitwise_cast goes through tables of functions on NEON, whose names do not tell the instruction set.
  template <class U>
  TERN_INLINE static xsimd::batch<U, Arch> cast(batch v) {
    using to = typename xsimd::batch<U, Arch>::register_type;
    return __builtin_bit_cast(to, static_cast<typename batch::register_type>(v));
  }

  template <class, class>
  friend class lanes;

  batch v_;
};

#endif  // TERN_HAS_XSIMD

}  // namespace tern::inline TERN_ISA
