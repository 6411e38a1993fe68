// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"

namespace tern {

/// The upper half of a float32: 8 exponent bits, 7 stored fraction bits. A storage type; arithmetic is done in float.
/// Conversion from float rounds to nearest, ties to even, by integer arithmetic only, with the same bits everywhere.
/// NaN stays NaN and keeps its sign, overflow gives infinity, subnormals are kept. Conversion to float is exact.
struct bfloat16 {
  std::uint16_t bits = 0;

  TERN_FN constexpr bfloat16() {}
  TERN_FN constexpr explicit bfloat16(float x) {
    const auto u = __builtin_bit_cast(std::uint32_t, x);
    const bool nan = (u & 0x7fffffffu) > 0x7f800000u;
    bits = nan ? static_cast<std::uint16_t>((u >> 16) | 0x40u)
               : static_cast<std::uint16_t>((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
  }
  TERN_FN constexpr operator float() const {  // NOLINT: exact
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16);
  }
};

}  // namespace tern
