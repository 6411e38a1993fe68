// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bfloat16 and half against their definitions: every 16-bit value, and rounding checked by its neighbours.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <random>

#include "tern/core/dtype.hpp"
#include "tests/support/catch.hpp"

namespace tern {
namespace {

static_assert(std::is_same_v<accumulator_t<bfloat16>, float> &&
              std::is_same_v<accumulator_t<std::int8_t>, std::int32_t>);
static_assert(half(65519.9f).bits == 0x7bff && half(65520.0f).bits == 0x7c00 && half(-0.0f).bits == 0x8000);
static_assert(bfloat16(1.0f).bits == 0x3f80 && bfloat16(3.4028235e38f).bits == 0x7f80);

/// The value of a 16-bit float with this many exponent and fraction bits, from the definition.
double value_of(std::uint16_t bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = (bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int fraction = bits & ((1 << fraction_bits) - 1);
  const double sign = bits & 0x8000 ? -1 : 1;
  if (exponent == (1 << exponent_bits) - 1) return fraction ? NAN : sign * INFINITY;
  if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fraction_bits);
  return sign * std::ldexp((1 << fraction_bits) + fraction, exponent - bias - fraction_bits);
}

template <class Narrow>
Narrow from_pattern(std::uint16_t bits) {
  Narrow x;
  x.bits = bits;
  return x;
}

/// Checks one conversion: the result is the nearest value, the even one on ties; infinity from half a step above the
/// largest value on.
template <class Narrow>
void check_rounding(float x, int exponent_bits, int fraction_bits) {
  const Narrow y(x);
  INFO(x << " -> " << y.bits);
  if (std::isnan(x)) {
    REQUIRE(std::isnan(static_cast<float>(y)));
    return;
  }
  REQUIRE(std::signbit(x) == ((y.bits & 0x8000) != 0));
  const std::uint16_t magnitude = y.bits & 0x7fff;
  const auto largest = static_cast<std::uint16_t>((((1 << exponent_bits) - 1) << fraction_bits) - 1);
  const double above_largest = 2 * value_of(largest, exponent_bits, fraction_bits) -
                               value_of(static_cast<std::uint16_t>(largest - 1), exponent_bits, fraction_bits);
  const auto value = [&](int m) {
    return m > largest ? above_largest : value_of(static_cast<std::uint16_t>(m), exponent_bits, fraction_bits);
  };
  const double here = std::fabs(static_cast<double>(x)), error = std::fabs(value(magnitude) - here);
  if (magnitude > largest) {
    REQUIRE(magnitude == largest + 1);  // infinity
    REQUIRE(here >= (value(largest) + above_largest) / 2);
    return;
  }
  if (magnitude > 0) REQUIRE(error <= std::fabs(value(magnitude - 1) - here));
  REQUIRE(error <= std::fabs(value(magnitude + 1) - here));
  const bool tie = (magnitude > 0 && error == std::fabs(value(magnitude - 1) - here)) ||
                   error == std::fabs(value(magnitude + 1) - here);
  if (tie && error > 0) REQUIRE(magnitude % 2 == 0);
}

template <class Narrow>
void check_all(int exponent_bits, int fraction_bits) {
  for (int b = 0; b < 65536; ++b) {
    const auto bits = static_cast<std::uint16_t>(b);
    const double wanted = value_of(bits, exponent_bits, fraction_bits);
    const float got = from_pattern<Narrow>(bits);
    if (std::isnan(wanted)) {
      REQUIRE(std::isnan(got));
    } else {
      REQUIRE(static_cast<double>(got) == wanted);
      REQUIRE(std::signbit(got) == std::signbit(wanted));
      REQUIRE(Narrow(got).bits == bits);
      check_rounding<Narrow>(std::nextafterf(got, INFINITY), exponent_bits, fraction_bits);
    }
  }
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < 200000; ++i) {
    const auto u = static_cast<std::uint32_t>(engine());
    float x;
    std::memcpy(&x, &u, sizeof x);
    check_rounding<Narrow>(x, exponent_bits, fraction_bits);
  }
  for (int b = 0; b < 65535; ++b) {  // half way between neighbours
    const float low = from_pattern<Narrow>(static_cast<std::uint16_t>(b));
    const float high = from_pattern<Narrow>(static_cast<std::uint16_t>(b + 1));
    if (std::isfinite(low) && std::isfinite(high))
      check_rounding<Narrow>(static_cast<float>((static_cast<double>(low) + high) / 2), exponent_bits, fraction_bits);
  }
}

TEST_CASE("half converts exactly and rounds to nearest even", "[core][dtype]") { check_all<half>(5, 10); }
TEST_CASE("bfloat16 converts exactly and rounds to nearest even", "[core][dtype]") { check_all<bfloat16>(8, 7); }

}  // namespace
}  // namespace tern
