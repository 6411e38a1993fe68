// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementary functions against long double: errors in ulp, special values, symmetry; activations against their
// definitions. On x86-64 long double has 11 bits more than double, on AArch64 60.
#include <algorithm>
#include <cstdio>
#include <random>
#include <string>

#include "tests/core/elementary.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

/// |y - exact| in units of the last place of a T near `exact`; infinite where only one is finite or a NaN.
template <class T, class R>
double ulp_error(T y, R exact) {
  using limits = std::numeric_limits<T>;
  if (std::isnan(exact) || std::isnan(y)) return std::isnan(exact) == std::isnan(y) ? 0 : INFINITY;
  const T near = static_cast<T>(exact);
  if (std::isinf(near) || std::isinf(y) || exact == 0) return near == y ? 0 : INFINITY;
  int exponent;
  std::frexp(exact, &exponent);
  exponent = std::max(exponent, limits::min_exponent);
  return static_cast<double>(std::fabs(std::ldexp(static_cast<R>(y) - exact, limits::digits - exponent)));
}

/// Numbers of every size, and more of them where functions bend or change their formula.
template <class T>
std::vector<T> numbers_to_judge(unsigned seed) {
  std::vector<T> x = special_numbers<T>();
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 200000; ++i) x.push_back(of_bits<T>(engine()));
  for (const double width : {1e-3, 0.35, 0.7, 1.0, 2.0, 6.0, 20.0, 40.0, 110.0, 760.0})
    for (int i = 0; i < 100000; ++i) x.push_back(static_cast<T>(uniform(engine) * width));
  for (const double centre : {0.625, 0.7071067811865475, 0.875, 1.0, 1.0647, 1.4142135623730951})
    for (int i = 0; i < 50000; ++i) x.push_back(static_cast<T>(centre * (1 + uniform(engine) / 64)));
  return x;
}

template <class F, class T>
void validate(unsigned seed, double bound) {
  double worst = 0;
  T at = 0;
  for (const T x : numbers_to_judge<T>(seed)) {
    const double e = ulp_error(F::of(x), F::exact(static_cast<long double>(x)));
    if (e > worst) worst = e, at = x;
  }
  char text[100];
  std::snprintf(text, sizeof text, "%s of %zu bytes: %.4f ulp at %a", F::name, sizeof(T), worst,
                static_cast<double>(at));
  INFO(text << ", seed " << seed);
  CHECK(worst <= bound);
  CHECK(worst > 0.5);  // or the measurement is broken
}

TEMPLATE_LIST_TEST_CASE("elementary functions are as accurate as stated", "[math]", elementary_functions) {
  validate<TestType, float>(Catch::rngSeed(), TestType::ulp_float);
  validate<TestType, double>(Catch::rngSeed(), TestType::ulp_double);
}

// Hidden, for it takes minutes: run the test program with "[exhaustive]". double is enough to judge float.
TEMPLATE_LIST_TEST_CASE("errors over all float32", "[.][exhaustive]", elementary_functions) {
  double worst = 0;
  float at = 0;
  for (std::uint64_t i = 0; i < std::uint64_t(1) << 32; ++i) {
    const float x = of_bits<float>(i);
    const double e = ulp_error(TestType::of(x), TestType::exact(static_cast<double>(x)));
    if (e > worst) worst = e, at = x;
  }
  std::printf("%s: %.4f ulp at %a\n", TestType::name, worst, static_cast<double>(at));
  CHECK(worst <= TestType::ulp_float);
}

TEMPLATE_TEST_CASE("elementary functions at special values", "[math]", float, double) {
  using T = TestType;
  const T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  const T smallest = std::numeric_limits<T>::denorm_min(), largest = std::numeric_limits<T>::max();
  const auto same = [](T a, T b) { return equal_bits(a, b); };
  const T zero = 0, one = 1;

  for (const T x : {nan, -nan}) {
    CHECK(std::isnan(math::exp(x)));
    CHECK(std::isnan(math::log(x)));
    CHECK(std::isnan(math::tanh(x)));
    CHECK(std::isnan(math::erf(x)));
    CHECK(std::isnan(math::sigmoid(x)));
    CHECK(std::isnan(math::expm1(x)));
    CHECK(std::isnan(math::softplus(x)));
    CHECK(std::isnan(tile::activate<activation::none>(x)));
    CHECK(std::isnan(tile::activate<activation::relu>(x)));
    CHECK(std::isnan(tile::activate<activation::gelu>(x)));
    CHECK(std::isnan(tile::activate<activation::silu>(x)));
  }

  CHECK(same(math::exp(-inf), zero));
  CHECK(same(math::exp(-largest), zero));
  CHECK(same(math::exp(inf), inf));
  CHECK(same(math::exp(largest), inf));
  for (const T x : {zero, -zero, smallest, -smallest}) CHECK(same(math::exp(x), one));

  CHECK(same(math::log(zero), -inf));
  CHECK(same(math::log(-zero), -inf));
  CHECK(same(math::log(inf), inf));
  CHECK(same(math::log(one), zero));
  for (const T x : {-smallest, -one, -largest, -inf}) CHECK(std::isnan(math::log(x)));

  for (const T s : {one, -one}) {
    for (const T x : {inf, largest, T(25)}) {
      CHECK(same(math::tanh(s * x), s));
      CHECK(same(math::erf(s * x), s));
    }
    CHECK(same(math::tanh(s * zero), s * zero));
    CHECK(same(math::erf(s * zero), s * zero));
    CHECK(same(math::tanh(s * smallest), s * smallest));
    CHECK(same(math::erf(s * smallest), s * smallest));
    CHECK(same(math::sigmoid(s * zero), T(0.5)));
  }

  CHECK(same(math::sigmoid(-inf), zero));
  CHECK(same(math::sigmoid(-largest), zero));
  CHECK(same(math::sigmoid(inf), one));
  CHECK(same(math::sigmoid(largest), one));

  CHECK(same(math::expm1(-inf), -one));
  CHECK(same(math::expm1(inf), inf));
  CHECK(same(math::expm1(largest), inf));
  for (const T x : {zero, -zero, smallest, -smallest}) CHECK(same(math::expm1(x), x));

  CHECK(same(math::softplus(-inf), zero));
  CHECK(same(math::softplus(-largest), zero));
  CHECK(same(math::softplus(inf), inf));
  CHECK(same(math::softplus(largest), largest));

  CHECK(same(tile::activate<activation::relu>(-inf), zero));
  CHECK(same(tile::activate<activation::relu>(inf), inf));
  CHECK(same(tile::activate<activation::gelu>(-inf), -zero));
  CHECK(same(tile::activate<activation::gelu>(-largest), -zero));
  CHECK(same(tile::activate<activation::gelu>(inf), inf));
  CHECK(same(tile::activate<activation::gelu>(-zero), -zero));
  CHECK(same(tile::activate<activation::silu>(-inf), -zero));
  CHECK(same(tile::activate<activation::silu>(-largest), -zero));
  CHECK(same(tile::activate<activation::silu>(inf), inf));
  CHECK(same(tile::activate<activation::silu>(-zero), -zero));
}

TEMPLATE_TEST_CASE("tanh and erf are odd, bit for bit", "[math]", float, double) {
  bool odd = true;
  for (const TestType x : numbers_to_judge<TestType>(Catch::rngSeed()))
    odd = odd && equal_bits(math::tanh(-x), -math::tanh(x)) && equal_bits(math::erf(-x), -math::erf(x));
  CHECK(odd);
}

/// Keeps compilers from fusing what stands in two calls.
template <class T>
T rounded(T x) {
  volatile T v = x;
  return v;
}

float gelu_of_documentation(float x) {
  const float even[] = {0x1.b4b04cp-22f, 0x1.d14eaap-16f, 0x1.978cbcp-13f,
                        0x1.cafb2cp-11f, 0x1.af56cep-7f,  0x1.988478p-4f};
  const float odd[] = {-0x1.3b9e62p-18f, -0x1.5965ap-14f, -0x1.55da6cp-14f, 0x1.58b378p-9f, 0x1.97695cp-5f};
  const float t = std::min(std::fabs(x), 1024.0f), square = rounded(t * t);
  float e = even[0], o = odd[0];
  for (int i = 1; i < 6; ++i) e = std::fma(e, square, even[i]);
  for (int i = 1; i < 5; ++i) o = std::fma(o, square, odd[i]);
  float y = rounded(t * std::fma(o, t, e));
  y = std::fma(y, y, y);
  y = std::fma(rounded(y + y), y, y);
  const float left = rounded(t / std::fma(16.0f, y, 2.0f));
  return std::signbit(x) ? -left : x - left;
}
double gelu_of_documentation(double x) {
  const double half = rounded(0.5 * x), argument = rounded(0.70710678118654752440 * x);
  return rounded(half * rounded(1 + math::erf(argument)));
}

TEMPLATE_TEST_CASE("activations agree with docs/elementary-functions.md", "[math]", float, double) {
  using T = TestType;
  bool equal = true;
  for (const T x : numbers_to_judge<T>(Catch::rngSeed())) {
    equal = equal && equal_bits(tile::activate<activation::none>(x), x);
    equal = equal && equal_bits(tile::activate<activation::relu>(x), 0 > x ? T(0) : x);
    equal = equal && equal_bits(tile::activate<activation::relu6>(x), 0 > x ? T(0) : x > 6 ? T(6) : x);
    equal = equal && equal_bits(tile::activate<activation::tanh>(x), math::tanh(x));
    equal = equal && equal_bits(tile::activate<activation::sigmoid>(x), math::sigmoid(x));
    if (std::isinf(x)) continue;
    equal = equal && equal_bits(tile::activate<activation::gelu>(x), gelu_of_documentation(x));
    equal = equal && equal_bits(tile::activate<activation::silu>(x), rounded(x * math::sigmoid(x)));
    equal = equal && equal_bits(tile::activate<activation::softplus>(x), math::softplus(x));
    equal = equal && equal_bits(tile::activate<leaky_relu(1.0 / 3)>(x), x > 0 ? x : rounded(x * rounded(T(1) / 3)));
    equal =
        equal && equal_bits(tile::activate<elu(1.0 / 3)>(x), x > 0 ? x : rounded(math::expm1(x) * rounded(T(1) / 3)));
    const T six = std::min(std::max(rounded(x + 3), T(0)), T(6)), part = rounded(six * rounded(T(1) / 6));
    equal = equal && equal_bits(tile::activate<activation::hard_sigmoid>(x), std::isnan(x) ? x : part);
  }
  CHECK(equal);
}

}  // namespace tern::test
