// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations that tern's elementary functions are made of, for scalars. Every vector type of the library supplies
// the same names as hidden friends, so one template serves scalar, SIMD and GPU code and gives the same bits in each:
// only operations that IEEE 754 rounds correctly are used.
//
// Rule of the house: a product that feeds a sum is an fma or a `product`, never a bare `*`. Compilers fuse a bare
// product into the sum behind it when they like (g++ even across intrinsics), and then the bits depend on the compiler.
#pragma once

#include <cmath>
#include <cstdint>

#include "tern/core/config.hpp"

namespace tern::math::inline TERN_ISA {

/// a * b + c, rounded once.
TERN_FN float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
TERN_FN double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

/// a * b rounded, in a way that no compiler fuses into a later sum.
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

TERN_FN float select(bool condition, float yes, float no) { return condition ? yes : no; }
TERN_FN double select(bool condition, double yes, double no) { return condition ? yes : no; }

/// The bits of a number as a signed integer of the same width, and back.
TERN_FN std::int32_t bits(float x) { return __builtin_bit_cast(std::int32_t, x); }
TERN_FN std::int64_t bits(double x) { return __builtin_bit_cast(std::int64_t, x); }
TERN_FN float from_bits(std::int32_t i) { return __builtin_bit_cast(float, i); }
TERN_FN double from_bits(std::int64_t i) { return __builtin_bit_cast(double, i); }

/// i * 2^n on the bits of an integer, wrapping around.
template <int N>
TERN_FN std::int32_t shift_left(std::int32_t i) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(i) << N);
}
template <int N>
TERN_FN std::int64_t shift_left(std::int64_t i) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(i) << N);
}
/// The bits moved right, zeros moved in.
template <int N>
TERN_FN std::int32_t shift_right(std::int32_t i) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(i) >> N);
}
template <int N>
TERN_FN std::int64_t shift_right(std::int64_t i) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(i) >> N);
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

}  // namespace tern::math::inline TERN_ISA
