// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"

namespace tern {

/// The bits of a double. A distinct type, as nvcc's host code lists members of template arguments in braces and so
/// makes a real_constant of them.
enum class double_bits : std::uint64_t {};

/// A real number in a config, which is a template argument. Stored as bits: nvcc prints doubles among template
/// arguments with 15 digits, so that host and device code would name kernels differently.
///
/// Packed, so that configs have no holes in front of it. For a template argument with a hole and trailing padding,
/// clang (16 to 19) takes the address of a member from the wrong place.
struct [[gnu::packed]] real_constant {
  double_bits bits{};

  TERN_FN constexpr real_constant() {}
  TERN_FN constexpr real_constant(double x) : bits(__builtin_bit_cast(double_bits, x)) {}  // NOLINT: .epsilon = 1e-3
  TERN_FN constexpr real_constant(double_bits b) : bits(b) {}
  TERN_FN constexpr operator double() const { return __builtin_bit_cast(double, bits); }  // NOLINT: a double
};

}  // namespace tern
