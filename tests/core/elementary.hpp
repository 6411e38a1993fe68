// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementary functions as a list: what they are called, how to call them, what they approximate and how well
// (docs/elementary-functions.md states the same bounds).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "tern/core/math/erf.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/log.hpp"
#include "tern/core/math/sigmoid.hpp"
#include "tern/core/math/tanh.hpp"
#include "tern/tile/activation.hpp"

namespace tern::test {

struct exp_function {
  static constexpr const char* name = "exp";
  static constexpr double ulp_float = 0.892, ulp_double = 1.0;
  static constexpr const char *bits_float = "413a107435ee3c10", *bits_double = "68308cf70b79795c";
  template <class V>
  TERN_FN static V of(V x) {
    return math::exp(x);
  }
  template <class R>
  static R exact(R x) {
    return std::exp(x);
  }
};

struct log_function {
  static constexpr const char* name = "log";
  static constexpr double ulp_float = 0.876, ulp_double = 1.0;
  static constexpr const char *bits_float = "b320c0e453bd4eec", *bits_double = "bc0d6384db952001";
  template <class V>
  TERN_FN static V of(V x) {
    return math::log(x);
  }
  template <class R>
  static R exact(R x) {
    return std::log(x);
  }
};

struct tanh_function {
  static constexpr const char* name = "tanh";
  static constexpr double ulp_float = 1.198, ulp_double = 1.5;
  static constexpr const char *bits_float = "126f86e272878873", *bits_double = "12d44b885157c23d";
  template <class V>
  TERN_FN static V of(V x) {
    return math::tanh(x);
  }
  template <class R>
  static R exact(R x) {
    return std::tanh(x);
  }
};

struct erf_function {
  static constexpr const char* name = "erf";
  static constexpr double ulp_float = 1.139, ulp_double = 1.5;
  static constexpr const char *bits_float = "3409b52e072b795f", *bits_double = "ed447046a4bcad6b";
  template <class V>
  TERN_FN static V of(V x) {
    return math::erf(x);
  }
  template <class R>
  static R exact(R x) {
    return std::erf(x);
  }
};

struct sigmoid_function {
  static constexpr const char* name = "sigmoid";
  static constexpr double ulp_float = 1.143, ulp_double = 1.5;
  static constexpr const char *bits_float = "212f2886aa145b5f", *bits_double = "67a0a7de6d441952";
  template <class V>
  TERN_FN static V of(V x) {
    return math::sigmoid(x);
  }
  template <class R>
  static R exact(R x) {
    return 1 / (1 + std::exp(-x));
  }
};

struct gelu_function {
  static constexpr const char* name = "gelu";
  static constexpr const char *bits_float = "4cf5b6d96484d744", *bits_double = "4b6d66d678f0779b";
  template <class V>
  TERN_FN static V of(V x) {
    return tile::activate<activation::gelu>(x);
  }
};

struct silu_function {
  static constexpr const char* name = "silu";
  static constexpr const char *bits_float = "8b0e50c86259243e", *bits_double = "79001a7ac2fdc849";
  template <class V>
  TERN_FN static V of(V x) {
    return tile::activate<activation::silu>(x);
  }
};

template <class T>
T of_bits(std::uint64_t i) {
  if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, static_cast<std::uint32_t>(i));
  else
    return __builtin_bit_cast(T, i);
}

/// What every function meets: zeros, subnormal numbers, infinities, NaNs, thresholds and their neighbours.
template <class T>
std::vector<T> special_numbers() {
  using limits = std::numeric_limits<T>;
  std::vector<T> centres = {T(0), limits::denorm_min(), limits::min(), limits::epsilon(), limits::max()};
  for (const double c : {0.34657359027997264,
                         0.5,
                         0.625,
                         0.7071067811865475,
                         0.875,
                         1.0,
                         1.4142135623730951,
                         3.92,
                         4.0,
                         5.92,
                         6.0,
                         9.01,
                         10.0,
                         16.0,
                         17.33,
                         19.06,
                         20.0,
                         37.43,
                         64.0,
                         87.336544750553102,
                         88.722839111673,
                         89.0,
                         103.97207708,
                         104.0,
                         708.3964185322641,
                         709.782712893384,
                         710.0,
                         745.1332191019411,
                         746.0,
                         1024.0,
                         1e30})
    centres.push_back(static_cast<T>(c));
  std::vector<T> x{limits::infinity(), -limits::infinity(), limits::quiet_NaN(), -limits::quiet_NaN()};
  for (const T c : centres) {
    T up = c, down = c;
    for (int i = 0; i < 100; ++i) {
      for (const T s : {up, -up, down, -down}) x.push_back(s);
      up = std::nextafter(up, limits::infinity());
      down = std::nextafter(down, -limits::infinity());
    }
  }
  return x;
}

/// Numbers that are the same on every machine: float, every 4099th of all 2^32; double, 2^19 of all exponents and 2^19
/// in [-32, 32).
template <class T>
std::vector<T> fixed_numbers() {
  std::vector<T> x;
  if constexpr (sizeof(T) == 4) {
    for (std::uint64_t i = 0; i < std::uint64_t(1) << 32; i += 4099) x.push_back(of_bits<T>(i));
  } else {
    std::uint64_t state = 1;
    for (int i = 0; i < 1 << 19; ++i) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const std::uint64_t r = state ^ (state >> 29);
      x.push_back(of_bits<T>(r));
      x.push_back(static_cast<T>(static_cast<std::int64_t>(r) >> 11) * T(0x1p-47));
    }
  }
  return x;
}

}  // namespace tern::test
