// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Activations and their derivatives against their definitions in long double, within the errors that
// docs/elementary-functions.md states; special values.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "tern/core/activate.hpp"
#include "tests/core/elementary.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

using real = long double;

/// The mathematics.
real exact(const activation& a, real x) {
  const real slope = double(a.slope);
  const real six = std::min(std::max(x + 3, real(0)), real(6)) / 6;
  switch (a.kind) {
    case activation::none:
    case activation::prelu: return x;  // its slopes are an operand: tests/kernel/elementwise_ops.cpp
    case activation::relu: return std::max(x, real(0));
    case activation::relu6: return std::min(std::max(x, real(0)), real(6));
    case activation::sigmoid: return 1 / (1 + std::exp(-x));
    case activation::tanh: return std::tanh(x);
    case activation::gelu: return x * std::erfc(-x / std::sqrt(real(2))) / 2;
    case activation::silu: return x / (1 + std::exp(-x));
    case activation::gelu_tanh:
      return x / (1 + std::exp(-2 * std::sqrt(2 / std::acos(real(-1))) * (x + real(0.044715L) * x * x * x)));
    case activation::leaky_relu: return x > 0 ? x : slope * x;
    case activation::elu: return x > 0 ? x : slope * std::expm1(x);
    case activation::selu:
      return 1.0507009873554804934193349852946L * (x > 0 ? x : 1.6732632423543772848170429916717L * std::expm1(x));
    case activation::hard_sigmoid: return six;
    case activation::hard_swish: return x * six;
    case activation::softplus: return (x > 0 ? x : 0) + std::log1p(std::exp(-std::fabs(x)));
    case activation::mish: return x * std::tanh(exact(activation::softplus, x));
  }
  return 0;
}

/// Stated errors, in units of the last place where that is a bound, and in units of 2^-24 (float) or 2^-53 (double)
/// where a result is a difference of larger numbers.
struct errors {
  activation what;
  double ulp;                 ///< of the activation
  double absolute = 0;        ///< of the activation, in addition, for x < 0
  double derivative_ulp = 0;  ///< of the derivative
  double derivative = 0;      ///< of the derivative, absolute, in addition
};
constexpr errors stated[] = {
    {activation::none, 0},
    {activation::relu, 0},
    {activation::relu6, 0},
    {activation::sigmoid, 1.15, 0, 0, 1},
    {activation::tanh, 1.25, 0, 0, 3},
    {activation::gelu, 1.75, 2.2, 0, 2.5},
    {activation::silu, 1.75, 0, 0, 9},
    {activation::gelu_tanh, 1.9, 0.7, 0, 18},
    {activation::leaky_relu, 1.5, 0, 1},
    {leaky_relu(0.3), 1.5, 0, 1},
    {activation::elu, 1.5, 0, 0, 1.5},
    {elu(1.0 / 3), 3, 0, 0, 1.5},
    {activation::selu, 2.5, 0, 0, 3},
    {activation::hard_sigmoid, 1.5, 0, 1},
    {activation::hard_swish, 2.5, 0, 0, 2},
    {activation::softplus, 2.11, 0, 0, 1.5},
    {activation::mish, 5, 0, 0, 3},
};

template <class T>
std::vector<T> arguments() {
  std::vector<T> x;
  for (const T s : special_numbers<T>())
    if (std::fabs(s) < T(1e30)) x.push_back(s);
  std::mt19937_64 engine(Catch::rngSeed());
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const double width : {1e-30, 1e-3, 0.35, 1.0, 4.0, 10.0, 20.0, 80.0})
    for (int i = 0; i < 3000; ++i) x.push_back(static_cast<T>(uniform(engine) * width));
  return x;
}

/// The distance of neighbouring numbers of T near y.
template <class T>
real spacing(real y) {
  int exponent = 0;
  std::frexp(y, &exponent);
  if (y == 0 || exponent < std::numeric_limits<T>::min_exponent) exponent = std::numeric_limits<T>::min_exponent;
  return std::ldexp(real(1), exponent - std::numeric_limits<T>::digits);
}

template <activation A, class T>
void validate(const errors& e) {
  constexpr real unit = sizeof(T) == 4 ? 0x1p-24L : 0x1p-53L;
  double worst = 0, worst_derivative = 0;
  T at = 0, derivative_at = 0;
  for (const T x : arguments<T>()) {
    const real wanted = exact(A, x);
    const T y = tile::activate<A>(x);
    // Where a factor is subnormal, the product has the absolute error of that factor.
    const real smallest = 4 * std::numeric_limits<T>::denorm_min() * std::max(real(1), std::fabs(real(x)));
    const real bound = static_cast<real>(e.ulp) * spacing<T>(wanted) + (x < 0 ? e.absolute * unit : 0) + smallest;
    const auto share = static_cast<double>(std::fabs(y - wanted) / bound);
    if (!(share <= worst)) worst = share, at = x;

    // Differences do not reach across corners.
    const bool smooth = !(A.kind == activation::elu || A.kind == activation::selu) || std::fabs(x) > T(1e-4);
    const bool hard = A.kind == activation::hard_sigmoid || A.kind == activation::hard_swish;
    const T centred = A.kind == activation::relu6 ? x - 3 : x;
    const bool inside = !(hard || A.kind == activation::relu6) || std::fabs(std::fabs(centred) - 3) > T(1e-4);
    const bool linear = A.kind == activation::relu || A.kind == activation::leaky_relu;
    if (!smooth || !inside || (linear && x == 0) || std::fabs(x) > 1e6) continue;
    const real h = 0x1p-16L * std::max(real(1), std::fabs(real(x)) / 4);
    const real slope = linear ? exact(A, x) / x : (exact(A, x + h) - exact(A, x - h)) / (2 * h);
    const T d = tile::activation_gradient<A>(T(1), derivative_from_result(A) ? y : x);
    const real allowed = static_cast<real>(e.derivative_ulp) * spacing<T>(slope) + e.derivative * unit + 0x1p-33L;
    const auto derivative_share = static_cast<double>(std::fabs(d - slope) / allowed);
    if (!(derivative_share <= worst_derivative)) worst_derivative = derivative_share, derivative_at = x;
  }
  char text[200];
  std::snprintf(text, sizeof text, "%s(%g) of %zu bytes: %.3f of the stated error at %a, derivative %.3f at %a",
                name(A), double(A.slope), sizeof(T), worst, static_cast<double>(at), worst_derivative,
                static_cast<double>(derivative_at));
  INFO(text);
  CHECK(worst <= 1);
  CHECK(worst_derivative <= 1);
}

TEMPLATE_TEST_CASE("activations and derivatives are as accurate as stated", "[math]", float, double) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (validate<stated[I].what, TestType>(stated[I]), ...);
  }(std::make_index_sequence<std::size(stated)>{});
}

// Hidden, for it takes minutes: run the test program with "[exhaustive]".
TEST_CASE("errors of gelu over all float32", "[.][exhaustive]") {
  double above = 0, below = 0, derivative = 0;
  for (std::uint64_t i = 0; i < std::uint64_t(1) << 32; ++i) {
    const float x = of_bits<float>(i);
    if (!(std::fabs(x) <= std::numeric_limits<float>::max())) continue;
    const double wide = x, share = std::erfc(-wide / std::sqrt(2.0)) / 2, wanted = wide * share;
    const double slope = share + wide * std::exp(-wide * wide / 2) / std::sqrt(2 * std::acos(-1.0));
    const double error = std::fabs(tile::activate<activation::gelu>(x) - wanted);
    if (x > 0)
      above = std::max(above, error / static_cast<double>(spacing<float>(wanted)));
    else
      below = std::max(below, error * 0x1p24);
    derivative = std::max(derivative, std::fabs(tile::activation_gradient<activation::gelu>(1.0f, x) - slope) * 0x1p24);
  }
  std::printf("gelu: %.4f ulp above 0, %.4f u below, derivative %.4f u\n", above, below, derivative);
  CHECK(above <= 1.70);
  CHECK(below <= 0.81);
  CHECK(derivative <= 2.3);
}

TEMPLATE_TEST_CASE("activations at special values", "[math]", float, double) {
  using T = TestType;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN(), zero = 0;
  const T largest = std::numeric_limits<T>::max();
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (
        [&] {
          constexpr activation a = stated[I].what;
          INFO(name(a));
          CHECK(std::isnan(tile::activate<a>(nan)));
          CHECK(std::isnan(tile::activate<a>(-nan)));
          const auto limit = static_cast<T>(exact(a, -1000)), upper = static_cast<T>(exact(a, 1000));
          const bool grows = upper > 6, falls = limit < -2;
          CHECK(tile::activate<a>(inf) == (grows ? inf : upper));
          CHECK(tile::activate<a>(-inf) == (falls ? -inf : limit));
          CHECK(std::isfinite(tile::activate<a>(-largest)));
          CHECK(tile::activate<a>(zero) == static_cast<T>(exact(a, 0)));
          for (const T x : {inf, -inf, largest, -largest}) {
            const T saved = derivative_from_result(a) ? tile::activate<a>(x) : x;
            const auto slope = static_cast<T>(exact(a, x > 0 ? 1001 : -1000) - exact(a, x > 0 ? 1000 : -1001));
            INFO(x);
            CHECK(std::fabs(tile::activation_gradient<a>(T(1), saved) - slope) <= std::numeric_limits<T>::epsilon());
          }
        }(),
        ...);
  }(std::make_index_sequence<std::size(stated)>{});
}

}  // namespace
}  // namespace tern::test
