// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Vectors of one register. They add to xsimd's batches a real fma on every architecture, loads and stores of the first
// n lanes that touch nothing beyond them, and the bits as integers.
//
// The operations are hidden friends with the names of core/math/primitives.hpp, so elementary functions and tile
// arithmetic are written once for lanes and scalars. Nothing here reassociates or approximates.
#pragma once

#include <cstdint>
#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/exec/cpu/arch.hpp"
#include "tern/exec/cpu/registers.hpp"

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

/// One lane, for machines without a vector unit, and for remainders on others.
template <class T>
class lanes<T, scalar_arch> {
 public:
  using value_type = T;
  using arch_type = scalar_arch;
  using half = void;  ///< lanes of half the width
  static constexpr bool has_pairs = false;
  static constexpr bool has_masks = true;  ///< true if loads and stores of the first n lanes are instructions
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
  friend TERN_INLINE lanes in_register(lanes a) { return a; }
  friend TERN_INLINE lanes sqrt(lanes a) { return math::sqrt(a.v_); }
  friend TERN_INLINE lanes larger(lanes a, lanes b) { return a.v_ > b.v_ ? a : b; }
  friend TERN_INLINE lanes smaller(lanes a, lanes b) { return a.v_ < b.v_ ? a : b; }
  friend TERN_INLINE lanes select(mask m, lanes yes, lanes no) { return m ? yes : no; }
  friend TERN_INLINE lanes select_equal(bits_type a, bits_type b, lanes yes, lanes no) { return a == b ? yes : no; }
  friend TERN_INLINE bits_type bits(lanes a) { return math::bits(a.v_); }
  TERN_INLINE static lanes from_bits(bits_type i) { return math::from_bits<T>(i); }

 private:
  T v_;
};

#if defined(TERN_HAS_VECTORS)

template <class T, class Arch>
class lanes {
  using batch = impl::batch<T, Arch>;
  using integer = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

 public:
  using value_type = T;
  using arch_type = Arch;
  using batch_type = batch;
  using half = typename impl::half_lanes<T, Arch>::type;
  using mask = impl::batch_bool<T, Arch>;
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

  /// Loads all lanes from p, which needs no alignment.
  TERN_INLINE static lanes load(const T* p) { return batch::load_unaligned(p); }
  /// Loads the first n lanes from p (0 <= n <= size), zeros after them. Reads n elements.
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
  /// Broadcasts one element.
  TERN_INLINE static lanes broadcast(const T* p) { return lanes(*p); }
  TERN_INLINE void store(T* p) const { v_.store_unaligned(p); }
  /// Stores the first n lanes to p (0 <= n <= size). Writes n elements.
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

  /// True if the halves of a register can process two rows of a narrow matrix at a time.
  static constexpr bool has_pairs = impl::pairs<T, Arch>::available;
  /// Joins two halves to one register.
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
  /// Broadcasts lane K of each half within that half.
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
  /// Returns a in a register. Otherwise g++ makes a loaded vector a memory operand of every fma that takes it.
  friend TERN_INLINE lanes in_register(lanes a) {
    return batch(impl::opaque(static_cast<typename batch::register_type>(a.v_)));
  }
  friend TERN_INLINE lanes sqrt(lanes a) { return impl::sqrt_register(a.v_); }
  /// a if it is larger, or smaller, else b: also if they are equal or one is NaN.
  friend TERN_INLINE lanes larger(lanes a, lanes b) { return impl::extreme_register<true>(a.v_, b.v_); }
  friend TERN_INLINE lanes smaller(lanes a, lanes b) { return impl::extreme_register<false>(a.v_, b.v_); }
  friend TERN_INLINE lanes select(mask m, lanes yes, lanes no) { return impl::select(m, yes.v_, no.v_); }
#if defined(TERN_HAS_AVX512)
  /// m 2^n rounded once, for integers n.
  friend TERN_INLINE lanes times_power_of_two(lanes m, lanes n)
    requires std::is_same_v<Arch, avx512_arch>
  {
    if constexpr (sizeof(T) == 4)
      return batch(_mm512_maskz_scalef_ps(static_cast<__mmask16>(-1), m.v_, n.v_));
    else
      return batch(_mm512_maskz_scalef_pd(static_cast<__mmask8>(-1), m.v_, n.v_));
  }
  /// m 2^n if x is not below `low`, else 0.
  friend TERN_INLINE lanes times_power_of_two_from(lanes low, lanes x, lanes m, lanes n)
    requires std::is_same_v<Arch, avx512_arch>
  {
    if constexpr (sizeof(T) == 4)
      return batch(_mm512_maskz_scalef_ps(_mm512_cmp_ps_mask(x.v_, low.v_, _CMP_NLT_UQ), m.v_, n.v_));
    else
      return batch(_mm512_maskz_scalef_pd(_mm512_cmp_pd_mask(x.v_, low.v_, _CMP_NLT_UQ), m.v_, n.v_));
  }
#endif
  /// yes in the lanes where the bits of a and b are equal, else no. For AVX-512 without xsimd: 8.1 selects integers by
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
      return from_bits(bits_type(impl::select(a.v_ == b.v_, bits(yes).v_, bits(no).v_)));
  }
  friend TERN_INLINE bits_type bits(lanes a) { return cast<integer>(a.v_); }
  TERN_INLINE static lanes from_bits(bits_type i) { return bits_type::template cast<T>(i.v_); }

  // Operators of integers (bits_type) besides + and -.
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
  friend TERN_INLINE lanes product_of_low(lanes a, lanes b)
    requires std::is_same_v<T, std::uint64_t>
  {
    return impl::product_of_low_register(a.v_, b.v_);
  }

 private:
  /// Avoids xsimd's bitwise_cast: on NEON it uses tables of functions whose names lack the instruction set.
  template <class U>
  TERN_INLINE static impl::batch<U, Arch> cast(batch v) {
    using to = typename impl::batch<U, Arch>::register_type;
    return __builtin_bit_cast(to, static_cast<typename batch::register_type>(v));
  }

  template <class, class>
  friend class lanes;

  batch v_;
};

#endif  // TERN_HAS_VECTORS

}  // namespace tern::inline TERN_ISA
