// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers that are the same on every machine: integers, and exact products with powers of two.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"

namespace tern::test::inline TERN_ISA {

enum class inputs {
  uniform,  ///< [-1, 1)
  wide,     ///< zeros of both signs, subnormal and large numbers among them: sums underflow, cancel and overflow
  special   ///< NaN and infinities among them
};

/// An endless sequence of T. A 64-bit mixer (Steele, Lea, Flood 2014, doi 10.1145/2660193.2660195) makes the integers.
template <class T>
class input_sequence {
 public:
  input_sequence(std::uint64_t seed, inputs kind) : state_(seed), kind_(kind) {}

  T operator()() {
    const std::uint64_t r = next();
    const T x = sizeof(T) == 4 ? static_cast<T>(static_cast<std::int64_t>(r) >> 40) * static_cast<T>(0x1p-23)
                               : static_cast<T>(static_cast<std::int64_t>(r) >> 11) * static_cast<T>(0x1p-52);
    const unsigned pick = static_cast<unsigned>(r & 63);
    if (kind_ == inputs::wide) {
      if (pick < 4) return T(0);
      if (pick < 8) return -T(0);
      if (pick < 20) return x * static_cast<T>(0x1p-70);
      if (pick < 28) return tiny(r);
      if (pick < 32) return x * static_cast<T>(0x1p64);
    }
    if (kind_ == inputs::special) {
      if (pick == 0) return static_cast<T>(__builtin_nan(""));
      if (pick == 1) return static_cast<T>(__builtin_inf());
      if (pick == 2) return -static_cast<T>(__builtin_inf());
    }
    return x;
  }

 private:
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// A subnormal number.
  static T tiny(std::uint64_t r) {
    if constexpr (sizeof(T) == 4)
      return __builtin_bit_cast(T, static_cast<std::uint32_t>((r >> 32 & 0x80000fffu)));
    else
      return __builtin_bit_cast(T, r & 0x8000000000ffffffu);
  }

  std::uint64_t state_;
  inputs kind_;
};

}  // namespace tern::test::inline TERN_ISA
