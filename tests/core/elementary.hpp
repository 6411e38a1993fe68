// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementary functions as a list: what they are called, how to call them, what they approximate and how well
// (docs/elementary-functions.md states the same bounds).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "tern/core/activate.hpp"
#include "tern/core/math/erf.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/core/math/expm1.hpp"
#include "tern/core/math/log.hpp"
#include "tern/core/math/sigmoid.hpp"
#include "tern/core/math/softplus.hpp"
#include "tern/core/math/tanh.hpp"

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

struct expm1_function {
  static constexpr const char* name = "expm1";
  static constexpr double ulp_float = 1.455, ulp_double = 2.1;
  static constexpr const char *bits_float = "a4c71373fa5d34f9", *bits_double = "4abd96050093cd4a";
  template <class V>
  TERN_FN static V of(V x) {
    return math::expm1(x);
  }
  template <class R>
  static R exact(R x) {
    return std::expm1(x);
  }
};

struct softplus_function {
  static constexpr const char* name = "softplus";
  static constexpr double ulp_float = 2.109, ulp_double = 2.1;
  static constexpr const char *bits_float = "dbdae50859f22631", *bits_double = "f774a77853b97f89";
  template <class V>
  TERN_FN static V of(V x) {
    return math::softplus(x);
  }
  template <class R>
  static R exact(R x) {
    return (x > 0 ? x : R(0)) + std::log1p(std::exp(-std::fabs(x)));
  }
};

/// An activation, or its derivative from what it was applied to or gave.
struct recorded_bits {
  activation what;
  const char *bits_float, *bits_double, *derivative_float, *derivative_double;
};
inline constexpr recorded_bits records[] = {
    {activation::gelu, "deeb0a14bcd761ba", "4b6d66d678f0779b", "d5370906a68449e6", "18ac5126fb55dece"},
    {activation::silu, "8b0e50c86259243e", "79001a7ac2fdc849", "0af7bef8c3e684a5", "7977951276f4bc3f"},
    {activation::gelu_tanh, "6d3c4e31a417a6b2", "16021064c21569ef", "0a011a3114fecfcf", "175267e85d801597"},
    {activation::elu, "6fd5eab3444f5c0a", "e80713b6bd792692", "7bb0110d693fd8e3", "8d0cedcf6e5b933b"},
    {activation::selu, "ab7682941236cb37", "d62843520c2d36a7", "c77d1a6d00640230", "4d36db3f0395dd83"},
    {activation::relu6, "47cd3fc3e412239b", "7c5cd033b383e2a9", "966925d708cc5b68", "769f94536642f9c5"},
    {activation::hard_sigmoid, "956b560b4b3c01fb", "435ed6ba60645973", "a1c7a8962cbc8a30", "01eee243f4e8c45f"},
    {activation::hard_swish, "834971024da11d11", "e26ef071c5bf71ea", "57824586d4705e00", "95f4c8ffd2057db5"},
    {activation::mish, "9735cd90d0075f66", "4cbe831411bb9c99", "7b9ee3933832774e", "aeb44903bd57f15d"},
};
constexpr recorded_bits record_of(activation a) {
  for (const recorded_bits& r : records)
    if (r.what == a) return r;
  return {};
}

template <activation A>
struct activation_function {
  static constexpr const char* name = tern::name(A);
  static constexpr const char *bits_float = record_of(A).bits_float, *bits_double = record_of(A).bits_double;
  template <class V>
  TERN_FN static V of(V x) {
    return tile::activate<A>(x);
  }
};
template <activation A>
struct derivative_function {
  static inline const std::string text = tern::name(A) + std::string("'");
  static inline const char* const name = text.c_str();
  static constexpr const char *bits_float = record_of(A).derivative_float,
                              *bits_double = record_of(A).derivative_double;
  template <class V>
  TERN_FN static V of(V x) {
    return tile::activation_gradient<A>(V(1.0f), x);
  }
};

/// Those with a bound on their error in ulp, and all that have bits on record.
using elementary_functions = std::tuple<exp_function, log_function, tanh_function, erf_function, sigmoid_function,
                                        expm1_function, softplus_function>;
using recorded_functions = decltype(std::tuple_cat(
    elementary_functions{},
    std::tuple<activation_function<activation::gelu>, activation_function<activation::silu>,
               activation_function<activation::gelu_tanh>, activation_function<activation::elu>,
               activation_function<activation::selu>, activation_function<activation::hard_sigmoid>,
               activation_function<activation::hard_swish>, activation_function<activation::mish>,
               activation_function<activation::relu6>, derivative_function<activation::gelu>,
               derivative_function<activation::silu>, derivative_function<activation::gelu_tanh>,
               derivative_function<activation::elu>, derivative_function<activation::selu>,
               derivative_function<activation::hard_sigmoid>, derivative_function<activation::hard_swish>,
               derivative_function<activation::mish>, derivative_function<activation::relu6>>{}));

template <class T>
T of_bits(std::uint64_t i) {
  if constexpr (sizeof(T) == 4)
    return __builtin_bit_cast(T, static_cast<std::uint32_t>(i));
  else
    return __builtin_bit_cast(T, i);
}

/// Special arguments of every function: zeros, subnormal numbers, infinities, NaNs, thresholds and their neighbours.
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
