// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax of the reference against float64 formulas, gradients against differences; laws; what wrong calls say.
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/message.hpp"
#include "tests/support/tensor.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();

template <softmax_config C = softmax_config{}, class T = float>
using of_reference = kernel<softmax<C, T>, reference>;
constexpr softmax_config logarithms{.log = true}, masked{.mask = true};

template <class T>
auto rows(std::vector<T>& v, index_t n) {
  return view<T, dims<2>>(unchecked, v.data(), dims<2>(n, static_cast<index_t>(v.size()) / n));
}

TEMPLATE_TEST_CASE("softmax agrees with its formula, and sums to 1", "[softmax]", float, double) {
  using T = TestType;
  const double unit = sizeof(T) == 4 ? 0x1p-24 : 0x1p-53;
  for (const index_t k : {1, 2, 10, 127, 128, 129, 1000, 5000})
    for (const double size : {1.0, 40.0}) {
      INFO(k << " features of size " << size);
      auto x = random_vector<T>(3 * k, 1);
      for (T& v : x) v = static_cast<T>(v * static_cast<T>(size));
      std::vector<T> y(x.size()), z(x.size());
      of_reference<softmax_config{}, T>{}(rows(x, 3), rows(y, 3));
      of_reference<logarithms, T>{}(rows(x, 3), rows(z, 3));
      for (index_t n = 0; n < 3; ++n) {
        long double sum = 0, of_results = 0;
        const T* row = x.data() + n * k;
        T most = row[0];
        for (index_t i = 0; i < k; ++i) most = std::max(most, row[i]);
        for (index_t i = 0; i < k; ++i) sum += std::exp(static_cast<long double>(row[i]) - most);
        for (index_t i = 0; i < k; ++i) {
          const long double d = static_cast<long double>(row[i]) - most, wanted = std::exp(d) / sum;
          const T got = y[static_cast<std::size_t>(n * k + i)];
          of_results += got;
          // The difference is rounded once, and exp makes a relative error of its size; then sums and two roundings.
          const double bound = unit * (static_cast<double>(std::fabs(d)) + 24);
          CHECK(std::fabs(static_cast<double>(got - wanted)) <= bound * static_cast<double>(wanted) + 1e-44);
          const double error = static_cast<double>(z[static_cast<std::size_t>(n * k + i)] - (d - std::log(sum)));
          CHECK(std::fabs(error) <= unit * (24 + 3 * static_cast<double>(std::fabs(d) + std::log(sum))));
        }
        CHECK(std::fabs(static_cast<double>(of_results - 1)) <= 64 * unit);
      }
    }
}

template <softmax_config C>
void check_gradient() {
  auto x = random_vector<double>(2 * 7, 1), dy = random_vector<double>(2 * 7, 2);
  std::vector<double> y(x.size()), dx(x.size(), 1);
  const auto loss = [&] {
    of_reference<C, double>{}(rows(x, 2), rows(y, 2));
    double sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) sum += y[i] * dy[i];
    return sum;
  };
  loss();
  of_reference<C, double>{}.backward_data(rows(dy, 2), rows(y, 2), rows(dx, 2), accumulate);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double old = x[i], h = 1e-6;
    x[i] = old + h;
    const double up = loss();
    x[i] = old - h;
    const double down = loss();
    x[i] = old;
    CHECK(std::fabs(dx[i] - 1 - (up - down) / (2 * h)) < 1e-8);
  }
}

TEST_CASE("gradients of softmax are those of float64 differences", "[softmax]") {
  check_gradient<softmax_config{}>();
  check_gradient<logarithms>();
}

TEST_CASE("masked elements have no influence", "[softmax][law]") {
  std::vector<float> x{1, nan, 2, inf, 3, -inf}, y(6), few{1, 2, 3}, z(3);
  const std::vector<std::uint8_t> mask{1, 0, 7, 0, 1, 0};
  of_reference<masked>{}(rows(x, 1), view(mask, dims<2>(1, 6)), rows(y, 1));
  of_reference<>{}(rows(few, 1), rows(z, 1));
  for (const std::size_t i : {0, 2, 4}) CHECK(y[i] == z[i / 2]);
  for (const std::size_t i : {1, 3, 5}) CHECK(equal_bits(y[i], 0.0f));
  constexpr softmax_config both{.log = true, .mask = true};
  of_reference<both>{}(rows(x, 1), view(mask, dims<2>(1, 6)), rows(y, 1));
  for (const std::size_t i : {1, 3, 5}) CHECK(y[i] == -inf);
}

TEST_CASE("rows in which nothing takes part give zeros, and NaN and infinity spoil theirs only", "[softmax]") {
  std::vector<float> x{-inf, -inf, nan, 1, inf, 2, -inf, 0}, y(8);
  of_reference<>{}(rows(x, 4), rows(y, 4));
  CHECK(equal_bits(y[0], 0.0f));
  CHECK(equal_bits(y[1], 0.0f));
  for (const std::size_t i : {2, 3, 4, 5}) CHECK(std::isnan(y[i]));
  CHECK(y[6] == 0);
  CHECK(y[7] == 1);
  of_reference<logarithms>{}(rows(x, 4), rows(y, 4));
  CHECK(y[0] == -inf);
  CHECK(y[7] == 0);
  std::vector<float> huge{3e38f, -3e38f, 3e38f}, z(3);
  of_reference<>{}(rows(huge, 1), rows(z, 1));
  CHECK(z == std::vector<float>{0.5f, 0, 0.5f});
}

TEST_CASE("any axis of any layout gives the bits of rows", "[softmax][law]") {
  auto x = random_vector(2 * 5 * 3 * 4, 1);
  std::vector<float> y(x.size());
  constexpr softmax_config second{.axis = 1};
  const view in(x, dims<4>(2, 5, 3, 4));
  const view out(y, dims<4>(2, 5, 3, 4));
  of_reference<second>{}(in, out);
  for (index_t n = 0; n < 2; ++n)
    for (index_t p = 0; p < 12; ++p) {
      std::vector<float> row(5), wanted(5);
      for (index_t c = 0; c < 5; ++c) row[static_cast<std::size_t>(c)] = in(n, c, p / 4, p % 4);
      of_reference<>{}(rows(row, 1), rows(wanted, 1));
      for (index_t c = 0; c < 5; ++c) CHECK(out(n, c, p / 4, p % 4) == wanted[static_cast<std::size_t>(c)]);
    }
  std::vector<float> images(x.size()), results(x.size());
  kernel<reorder<>, reference>{}(in, last(images, 2, 5, 3, 4));
  of_reference<second>{}(last(images, 2, 5, 3, 4), last(results, 2, 5, 3, 4));
  kernel<reorder<>, reference>{}(last(results, 2, 5, 3, 4), in);
  CHECK(same_bits(x, y));
}

TEST_CASE("wrong calls of softmax are named, and nothing is written", "[softmax][contract]") {
  std::vector<float> memory(200, 1), out(200, 7);
  std::vector<std::uint8_t> bytes(200, 1);
  float *p = memory.data(), *q = out.data(), *none = nullptr;
  const auto matrix = [](auto* at, index_t n, index_t c) { return view(unchecked, at, dims<2>(n, c)); };
  const of_reference<> k;
  const of_reference<masked> masked_case;
  const auto x = matrix(p, 4, 6), y = matrix(q, 4, 6);
  CHECK(message([&] { k(x, matrix(q, 4, 5)); }) == "softmax: y is 4x5 and x is 4x6: their shapes must be equal");
  CHECK(message([&] { k(matrix(none, 4, 6), y); }) == "softmax: x is a null view of 4x6 elements");
  CHECK(message([&] { k(matrix(p, 4, 0), matrix(q, 4, 0)); }) == "softmax: x is 4x0: axis 1 has no elements");
  CHECK(message([&] { k(x, matrix(p + 1, 4, 6)); }) ==
        "softmax: y shares elements with x, and is not that tensor itself");
  CHECK(message([&] { masked_case(x, matrix(bytes.data(), 4, 1), y); }) ==
        "softmax: mask is 4x1 and x is 4x6: the extents of mask must be those of x or, except for axis 1, 1");
  CHECK(message([&] { k.backward_data(x, x, matrix(q, 3, 6)); }) ==
        "softmax: dx is 3x6 and dy is 4x6: their shapes must be equal");
  CHECK(message([&] { k.backward_data(x, y, y); }) == "softmax: dx shares elements with y");
  CHECK(message([&] { of_reference<>::plan(x, pass::backward_weights); }) ==
        "softmax: there are no weights: the pass of a plan must be forward or backward_data");
  const view folded(unchecked, q, layout_strided::mapping(dims<2>(4, 6), 3, 1));
  CHECK(message([&] { k(folded, folded); }) == "softmax: the strides of y give two results one element");
  CHECK(out == std::vector<float>(200, 7));
  CHECK(message([&] { masked_case(x, matrix(bytes.data(), 1, 6), x); }) == "no error");
  CHECK(message([&] { k(matrix(none, 0, 6), matrix(none, 0, 6)); }) == "no error");
  const plan plain = of_reference<>::plan(x);
  CHECK(std::string(plain.op) == "softmax");
  CHECK(plain.bytes_moved == 2 * 4 * 6 * 4);
  CHECK(plain.m == 4);
  CHECK(plain.n == 6);
}

}  // namespace
}  // namespace tern::test
