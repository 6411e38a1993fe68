// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gated linear units against formulas in long double.
#include <cmath>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

TEMPLATE_TEST_CASE("a swiglu and its gradients agree with their formulas", "[glu]", float, double) {
  using T = TestType;
  const auto at = [](std::vector<T>& v) { return view<T, dims<2>>(unchecked, v.data(), dims<2>(3, 1009)); };
  auto gate = random_vector<T>(3 * 1009, 1), x = random_vector<T>(3 * 1009, 2), dy = random_vector<T>(3 * 1009, 3);
  for (T& g : gate) g *= 4;
  std::vector<T> y(gate.size()), dgate(y), dx(y);
  const kernel<swiglu<T>, reference> k;
  k(at(gate), at(x), at(y));
  k.backward_data(at(dy), at(gate), at(x), at(dgate), at(dx));
  for (std::size_t i = 0; i < y.size(); ++i) {
    const long double g = gate[i], s = 1 / (1 + std::exp(-g)), d = s * (1 + g * (1 - s));
    const auto near = [](T got, long double wanted, long double of) {
      return std::fabs(got - wanted) <= 16 * of * (sizeof(T) == 4 ? 0x1p-24L : 0x1p-53L);
    };
    CHECK(near(y[i], g * s * x[i], std::fabs(g * s * x[i])));
    CHECK(near(dx[i], dy[i] * g * s, std::fabs(dy[i] * g * s)));
    CHECK(near(dgate[i], dy[i] * x[i] * d, std::fabs(dy[i] * x[i]) * (1 + std::fabs(g))));  // s and g (1 - s) cancel
  }
}

}  // namespace
}  // namespace tern::test
