// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs of couplings, and the comparison of their results. Without Catch2, for programs of a GPU.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

namespace tern::test {

/// Unlike equal_bits: payloads of NaN, too.
template <class T>
bool same_memory(T a, T b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}
template <class T>
bool same_memory(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// Numbers of every kind: any bits, special ones, halves of steps and their neighbours, and those where steps are cut
/// off or a stream ends.
template <class T, int Bits>
T any_number(std::mt19937& engine) {
  using word = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  const auto random_bits = [&] { return static_cast<word>(std::uint64_t{engine()} << 32 | engine()); };
  constexpr int digits = sizeof(T) == 4 ? 24 : 53;
  const T sign = engine() % 2 != 0 ? T(1) : T(-1);
  T x = 0;
  switch (engine() % 8) {
    case 0: return __builtin_bit_cast(T, random_bits());
    case 1: {
      const T special[] = {T(0), T(INFINITY), T(NAN), std::numeric_limits<T>::denorm_min(),
                           std::numeric_limits<T>::max()};
      return sign * special[engine() % 5];
    }
    case 2: x = std::ldexp(T(1), static_cast<int>(engine() % (8 * sizeof(T) + 3)) - Bits - 2); break;
    case 3: return sign * std::ldexp(static_cast<T>(engine() % 4096 * 2 + 1), -1 - Bits);
    case 4: x = std::ldexp(T(1), digits - 2 - Bits + static_cast<int>(engine() % 3)); break;
    case 5: x = std::ldexp(T(1), static_cast<int>(8 * sizeof(T)) - 1 - Bits); break;
    default:
      return std::ldexp(static_cast<T>(static_cast<std::int32_t>(engine())), -31 + static_cast<int>(engine() % 8));
  }
  return sign * (engine() % 3 == 0 ? x : std::nextafter(x, engine() % 2 != 0 ? T(0) : T(INFINITY)));
}

}  // namespace tern::test
