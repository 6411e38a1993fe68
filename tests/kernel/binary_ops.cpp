// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of two tensors against formulas in long double, and at special values.
#include <cmath>
#include <limits>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

template <class T>
auto row(std::vector<T>& v) {
  const dims<2> shape(1, static_cast<index_t>(v.size()));
  return view<T, dims<2>>(unchecked, v.data(), shape);
}

/// Results and gradients of one op.
template <class Op, class T = typename Op::value_type>
struct results {
  std::vector<T> y, da, db;

  results(std::vector<T> a, std::vector<T> b, std::vector<T> dy) : y(a), da(a), db(a) {
    const kernel<Op, reference> k;
    k(row(a), row(b), row(y));
    if constexpr (Op::config.kind == binary_kind::subtract)
      k.backward_data(row(dy), row(da), row(db));
    else
      k.backward_data(row(dy), row(a), row(b), row(da), row(db));
  }
};

TEMPLATE_TEST_CASE("functions of two tensors agree with their formulas", "[binary]", float, double) {
  using T = TestType;
  const auto a = random_vector<T>(1009, 1), b = random_vector<T>(1009, 2), dy = random_vector<T>(1009, 3);
  constexpr long double u = sizeof(T) == 4 ? 0x1p-24L : 0x1p-53L;
  const auto near = [](T got, long double wanted, int roundings) {
    return std::fabs(got - wanted) <= roundings * u * std::fabs(wanted) * (1 + 4 * u);
  };
  const results<subtract<T>> less(a, b, dy);
  const results<divide<T>> over(a, b, dy);
  const results<maximum<T>> larger(a, b, dy);
  const results<minimum<T>> smaller(a, b, dy);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const long double p = a[i], q = b[i], d = dy[i];
    const bool first = p > q;
    CHECK(near(less.y[i], p - q, 1));
    CHECK((less.da[i] == dy[i] && less.db[i] == -dy[i]));
    CHECK(near(over.y[i], p / q, 1));
    CHECK(near(over.da[i], d / q, 1));
    CHECK(near(over.db[i], -d * p / (q * q), 3));
    CHECK((larger.y[i] == (first ? a[i] : b[i]) && smaller.y[i] == (first ? b[i] : a[i])));
    CHECK((larger.da[i] == (first ? dy[i] : 0) && larger.db[i] == (first ? 0 : dy[i])));
    CHECK((smaller.da[i] == (first ? 0 : dy[i]) && smaller.db[i] == (first ? dy[i] : 0)));
  }
}

TEMPLATE_TEST_CASE("maxima and minima of NaN, infinities and equal numbers", "[binary]", float, double) {
  using T = TestType;
  const T nan = std::numeric_limits<T>::quiet_NaN(), inf = std::numeric_limits<T>::infinity();
  const std::vector<T> a{nan, 1, nan, 2, T(0), -T(0), inf, -inf}, b{1, nan, nan, 2, -T(0), T(0), -inf, -inf},
      dy{3, 3, 3, 3, 3, 3, 3, 3};
  const results<maximum<T>> larger(a, b, dy);
  const results<minimum<T>> smaller(a, b, dy);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK((std::isnan(larger.y[i]) && std::isnan(smaller.y[i])));
    CHECK((larger.da[i] == 3 && larger.db[i] == 3 && smaller.da[i] == 3 && smaller.db[i] == 3));
  }
  for (const std::size_t i : {std::size_t(3), std::size_t(4), std::size_t(5), std::size_t(7)}) {
    CHECK((equal_bits(larger.y[i], a[i]) && equal_bits(smaller.y[i], a[i])));  // of zeros the first
    CHECK((larger.da[i] == T(1.5) && larger.db[i] == T(1.5) && smaller.da[i] == T(1.5) && smaller.db[i] == T(1.5)));
  }
  CHECK((larger.y[6] == inf && larger.da[6] == 3 && larger.db[6] == 0));
  CHECK((smaller.y[6] == -inf && smaller.da[6] == 0 && smaller.db[6] == 3));
}

}  // namespace
}  // namespace tern::test
