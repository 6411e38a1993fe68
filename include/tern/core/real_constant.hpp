// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"

namespace tern {

/// The bits of a double: a type of their own, so that nvcc's code for the host, which lists members of template
/// arguments in braces, makes a real_constant of them.
enum class double_bits : std::uint64_t {};

/// A real number in a config, which is a template argument. Kept as bits: nvcc writes doubles among template arguments
/// with 15 digits, so that host and device code would name kernels differently.
///
/// Packed, so that configs have no holes in front of it: of a template argument with a hole and with padding at its
/// end, clang (16 to 19) takes the address of a member from the wrong place.
struct [[gnu::packed]] real_constant {
  double_bits bits{};

  TERN_FN constexpr real_constant() {}
  TERN_FN constexpr real_constant(double x) : bits(__builtin_bit_cast(double_bits, x)) {}  // NOLINT: .epsilon = 1e-3
  TERN_FN constexpr real_constant(double_bits b) : bits(b) {}
  TERN_FN constexpr operator double() const { return __builtin_bit_cast(double, bits); }  // NOLINT: a double
};

}  // namespace tern
