// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"

namespace tern {

/// IEEE 754 binary16: 5 exponent bits, 10 stored fraction bits. A storage type; arithmetic is done in float. Conversion
/// from float rounds to nearest, ties to even, by integer arithmetic only, with the same bits everywhere. NaN stays NaN
/// and keeps its sign, magnitudes from 65520 up give infinity, subnormals are kept. Conversion to float is exact.
struct half {
  std::uint16_t bits = 0;

  TERN_FN constexpr half() {}
  TERN_FN constexpr explicit half(float x) {
    const auto u = __builtin_bit_cast(std::uint32_t, x);
    const std::uint32_t sign = (u >> 16) & 0x8000u;
    const std::uint32_t magnitude = u & 0x7fffffffu;
    std::uint32_t h = 0;
    if (magnitude > 0x7f800000u) {
      h = 0x7e00u | ((magnitude >> 13) & 0x1ffu);  // a quiet NaN with the upper payload
    } else if (magnitude >= 0x47800000u) {         // 2^16 and above
      h = 0x7c00u;
    } else if (magnitude >= 0x38800000u) {  // 2^-14 and above: normal; rounding may carry into the exponent
      h = (magnitude - 0x38000000u + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    } else if (magnitude >= 0x33000000u) {  // 2^-25 and above: subnormal, in units of 2^-24
      const std::uint32_t shift = 126u - (magnitude >> 23);
      const std::uint32_t fraction = (magnitude & 0x7fffffu) | 0x800000u;
      const std::uint32_t rest = fraction & ((1u << shift) - 1u);
      const std::uint32_t tie = 1u << (shift - 1u);
      h = fraction >> shift;
      h += rest > tie || (rest == tie && (h & 1u)) ? 1u : 0u;
    }
    bits = static_cast<std::uint16_t>(sign | h);
  }
  TERN_FN constexpr operator float() const {  // NOLINT: exact
    const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    std::uint32_t exponent = (bits >> 10) & 0x1fu;
    std::uint32_t fraction = bits & 0x3ffu;
    std::uint32_t u = 0;
    if (exponent == 31) {
      u = 0x7f800000u | (fraction << 13);
    } else if (exponent != 0) {
      u = ((exponent + 112u) << 23) | (fraction << 13);
    } else if (fraction != 0) {  // subnormal: fraction * 2^-24, normalised
      exponent = 113u;
      while ((fraction & 0x400u) == 0) {
        fraction <<= 1;
        --exponent;
      }
      u = (exponent << 23) | ((fraction & 0x3ffu) << 13);
    }
    return __builtin_bit_cast(float, sign | u);
  }
};

}  // namespace tern
