// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The quantile of the normal distribution against its definition; samples of normal distributions: their statistics,
// gradients, laws; what wrong calls say. Parity is in tests/driver/draws.hpp.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "tern/simd.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

template <class T>
auto rows(std::vector<T>& v, index_t n) {
  return view<T, dims<2>>(unchecked, v.data(), dims<2>(n, static_cast<index_t>(v.size()) / n));
}
template <class T = float>
using sampler = kernel<normal_sample<T>, simd<>>;

/// By bisection of its definition.
long double quantile(long double p) {
  long double low = -40, high = 0;
  for (int i = 0; i < 200; ++i) {
    const long double x = (low + high) / 2;
    (std::erfc(-x / std::sqrt(2.0L)) / 2 < p ? low : high) = x;
  }
  return (low + high) / 2;
}

template <class T>
void check_quantile() {
  std::mt19937 engine(Catch::rngSeed());
  const double unit = sizeof(T) == 4 ? 0x1p-23 : 0x1p-52;
  double worst = 0;
  for (int i = 0; i < 4000; ++i) {
    const T p = i == 0     ? T(0x1p-33)
                : i == 1   ? T(0.5)
                : i == 2   ? T(0.075)
                : i < 2000 ? std::ldexp(T(1) + T(engine()) * T(0x1p-33), -1 - static_cast<int>(engine() % 32))
                           : std::min(T(0.5), T(engine()) * T(0x1p-33) + T(0x1p-33));
    if (p > T(0.5)) continue;
    const long double wanted = quantile(static_cast<long double>(p));
    // Near 1/2 the difference to 1/2 is what is known.
    const double size = std::max(std::fabs(static_cast<double>(wanted)), 0.25);
    worst =
        std::max(worst, std::fabs(static_cast<double>(static_cast<long double>(math::normal_quantile(p)) - wanted)) /
                            (size * unit));
  }
  INFO("worst error in units of the last place: " << worst);
  CHECK(worst <= 8);
}

TEST_CASE("quantiles are those of the normal distribution", "[draw]") {
  check_quantile<float>();
  check_quantile<double>();
}

TEST_CASE("samples have the moments and the shape of their distribution", "[draw]") {
  constexpr index_t n = 100, c = 2000;
  std::vector<float> mean(n * c, 3), log_variance(n * c, std::log(4.0f)), y(n * c);
  sampler<>{}(rows(mean, n), rows(log_variance, n), rows(y, n), random_site{.seed = 7});
  double sum = 0, squares = 0, cubes = 0, fourth = 0, below = 0, tail = 0;
  for (const float v : y) {
    const double z = (static_cast<double>(v) - 3) / 2;
    sum += z, squares += z * z, cubes += z * z * z, fourth += z * z * z * z;
    below += z < -1, tail += std::fabs(z) > 3;
  }
  const double count = n * c;
  // Five standard deviations of each: variances of z, z^2, z^3 and z^4 are 1, 2, 15 and 96.
  CHECK(std::fabs(sum / count) <= 5 / std::sqrt(count));
  CHECK(std::fabs(squares / count - 1) <= 5 * std::sqrt(2 / count));
  CHECK(std::fabs(cubes / count) <= 5 * std::sqrt(15 / count));
  CHECK(std::fabs(fourth / count - 3) <= 5 * std::sqrt(96 / count));
  const auto near = [&](double seen, double p) { return std::fabs(seen - count * p) <= 5 * std::sqrt(count * p); };
  CHECK(near(below, 0.158655));
  CHECK(near(tail, 0.0026998));
}

TEST_CASE("gradients of samples are those of float64 differences", "[draw]") {
  auto mean = random_vector<double>(2 * 9, 1), log_variance = random_vector<double>(2 * 9, 2),
       dy = random_vector<double>(2 * 9, 3);
  std::vector<double> y(mean.size()), dmean(mean.size(), 1), dlog(mean.size(), 1);
  constexpr random_site site{.seed = 3, .step = 2, .site = 1, .sample = 5};
  sampler<double>{}.backward_data(rows(dy, 2), rows(log_variance, 2), rows(dmean, 2), rows(dlog, 2), site, accumulate);
  const auto loss = [&] {
    sampler<double>{}(rows(mean, 2), rows(log_variance, 2), rows(y, 2), site);
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  for (auto* x : {&mean, &log_variance})
    for (std::size_t i = 0; i < x->size(); ++i) {
      const double old = (*x)[i], h = 1e-6;
      (*x)[i] = old + h;
      const double up = loss();
      (*x)[i] = old - h;
      const double down = loss();
      (*x)[i] = old;
      CHECK(std::fabs((x == &mean ? dmean : dlog)[i] - 1 - (up - down) / (2 * h)) < 1e-8);
    }
}

TEST_CASE("samples do not depend on the cut of the batch", "[draw][law]") {
  auto mean = random_vector(6 * 70, 1), log_variance = random_vector(6 * 70, 2);
  std::vector<float> whole(mean.size()), parts(mean.size());
  sampler<>{}(rows(mean, 6), rows(log_variance, 6), rows(whole, 6), random_site{.sample = 10});
  for (index_t i = 0; i < 6; ++i) {
    const auto row = [i](std::vector<float>& v) { return view(unchecked, v.data() + i * 70, dims<2>(1, 70)); };
    sampler<>{}(row(mean), row(log_variance), row(parts), random_site{.sample = 10 + static_cast<std::uint32_t>(i)});
  }
  CHECK(same_bits(whole, parts));
}

TEST_CASE("wrong calls of samples are named, and nothing is written", "[draw][contract]") {
  std::vector<float> x(24, 1), v(24, 1), y(24, 7);
  const sampler<> k;
  const random_site site;
  CHECK(message([&] { k(rows(x, 4), rows(v, 3), rows(y, 4), site); }) ==
        "normal_sample: log_variance is 3x8 and mean is 4x6: their shapes must be equal");
  CHECK(message([&] {
          k(rows(x, 4), rows(v, 4), view(unchecked, static_cast<float*>(nullptr), dims<2>(4, 6)), site);
        }) == "normal_sample: y is a null view of 4x6 elements");
  CHECK(message([&] { k.backward_data(rows(x, 4), rows(v, 4), rows(y, 4), rows(y, 4), site); }) ==
        "normal_sample: dmean shares elements with dlog_variance");
  CHECK(y == std::vector<float>(24, 7));
  CHECK(message([&] { k(rows(x, 4), rows(v, 4), rows(x, 4), site); }) == "no error");
}

}  // namespace
}  // namespace tern::test
