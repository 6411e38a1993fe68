// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Element types: their names and accumulator types.
#pragma once

#include <cstdint>

#include "tern/core/bfloat16.hpp"
#include "tern/core/config.hpp"
#include "tern/core/half.hpp"

namespace tern {

/// The facts about an element type. Defined for float, double, bfloat16, half, std::int8_t and std::int32_t, and for
/// std::uint8_t, std::int64_t and bool, which are only moved.
template <class T>
struct dtype;

template <>
struct dtype<float> {
  static constexpr const char* name = "float32";
  using accumulator = float;
};
template <>
struct dtype<double> {
  static constexpr const char* name = "float64";
  using accumulator = double;
};
template <>
struct dtype<bfloat16> {
  static constexpr const char* name = "bfloat16";
  using accumulator = float;
};
template <>
struct dtype<half> {
  static constexpr const char* name = "float16";
  using accumulator = float;
};
template <>
struct dtype<std::int8_t> {
  static constexpr const char* name = "int8";
  using accumulator = std::int32_t;
};
template <>
struct dtype<std::int32_t> {
  static constexpr const char* name = "int32";
  using accumulator = std::int32_t;
};
template <>
struct dtype<std::uint8_t> {
  static constexpr const char* name = "uint8";
  using accumulator = std::int32_t;
};
template <>
struct dtype<std::int64_t> {
  static constexpr const char* name = "int64";
  using accumulator = std::int64_t;
};
template <>
struct dtype<bool> {
  static constexpr const char* name = "bool";
  using accumulator = std::int32_t;
};

/// The accumulator type of T: float for float and narrower, int32 for int8.
template <class T>
using accumulator_t = typename dtype<T>::accumulator;

/// Types that kernels compute on.
template <class T>
concept element = requires { dtype<T>::name; };

}  // namespace tern
