// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scalar operations behind tern's elementary functions. Every vector type of the library supplies the same names as
// hidden friends. So one template serves scalar, SIMD and GPU code and gives the same bits in each: it uses only
// operations that IEEE 754 rounds correctly.
//
// House rule: a product that feeds a sum is an fma or a `product`, never a bare `*`. Compilers fuse a bare product into
// the following sum at will (g++ even across intrinsics), and then the bits depend on the compiler.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"

namespace tern::math::inline TERN_ISA {

/// a * b + c, rounded once.
TERN_FN float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TERN_FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

/// a * b rounded, protected from fusion into a later sum.
template <class T>
TERN_FN T product(T a, T b) {
#if defined(__CUDA_ARCH__)
  if constexpr (sizeof(T) == 4)
    return __fmul_rn(a, b);
  else
    return __dmul_rn(a, b);
#elif defined(__x86_64__) || defined(__i386__)
  T p = a * b;
  __asm__("" : "+x"(p));
  return p;
#elif defined(__aarch64__)
  T p = a * b;
  __asm__("" : "+w"(p));
  return p;
#else
  volatile T p = a * b;
  return p;
#endif
}

/// The exact product of the low halves.
TERN_FN constexpr std::uint64_t product_of_low(std::uint64_t a, std::uint64_t b) {
  return std::uint64_t{static_cast<std::uint32_t>(a)} * static_cast<std::uint32_t>(b);
}

/// The square root, rounded.
TERN_FN float sqrt(float x) {
#if defined(__CUDA_ARCH__)
  return __fsqrt_rn(x);
#else
  return __builtin_sqrtf(x);
#endif
}
TERN_FN double sqrt(double x) {
#if defined(__CUDA_ARCH__)
  return __dsqrt_rn(x);
#else
  return __builtin_sqrt(x);
#endif
}

TERN_FN float select(bool condition, float yes, float no) { return condition ? yes : no; }
TERN_FN double select(bool condition, double yes, double no) { return condition ? yes : no; }

/// x clamped from below by low or from above by high; NaN stays NaN. One instruction if vectors have such a maximum.
template <class V>
TERN_FN V at_least(V low, V x) {
  if constexpr (requires { larger(low, x); })
    return larger(low, x);
  else
    return select(x < low, low, x);
}
template <class V>
TERN_FN V at_most(V high, V x) {
  if constexpr (requires { smaller(high, x); })
    return smaller(high, x);
  else
    return select(x > high, high, x);
}

/// The bits of a number as an unsigned integer of the same width. Integers have +, -, &, |, ^, << and >>.
TERN_FN std::uint32_t bits(float x) { return __builtin_bit_cast(std::uint32_t, x); }
TERN_FN std::uint64_t bits(double x) { return __builtin_bit_cast(std::uint64_t, x); }

/// The number with these bits: the inverse of `bits`, for scalars and vectors.
template <class V, class Integer>
TERN_FN V from_bits(Integer i) {
  if constexpr (requires { V::from_bits(i); })
    return V::from_bits(i);
  else
    return __builtin_bit_cast(V, i);
}

/// The element type of a scalar or vector.
template <class V>
struct scalar_of {
  using type = typename V::value_type;
};
template <>
struct scalar_of<float> {
  using type = float;
};
template <>
struct scalar_of<double> {
  using type = double;
};
template <class V>
using scalar_of_t = typename scalar_of<V>::type;

/// True for float and vectors of it, false for double; below, the number of fraction bits.
template <class V>
inline constexpr bool is_float = sizeof(scalar_of_t<V>) == 4;
template <class V>
inline constexpr int fraction_bits = is_float<V> ? 23 : 52;

/// The magnitude of x.
template <class V>
TERN_FN V abs(V x) {
  return from_bits<V>(bits(x) & ~bits(V(-0.0f)));
}

/// A magnitude with the sign of x; `magnitude` must not be negative.
template <class V>
TERN_FN V with_sign(V magnitude, V x) {
  return from_bits<V>(bits(magnitude) | (bits(x) & bits(V(-0.0f))));
}

}  // namespace tern::math::inline TERN_ISA
