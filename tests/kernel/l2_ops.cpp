// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// L2 normalisation against formulas in long double. tests/driver/rows.hpp compares the policies.
#include <cmath>
#include <vector>

#include "tern/reference.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

TEMPLATE_TEST_CASE("an L2 normalisation and its gradient agree with their formulas", "[l2]", float, double) {
  using T = TestType;
  const index_t n = 1009;
  const auto at = [](std::vector<T>& v) { return view<T, dims<2>>(unchecked, v.data(), dims<2>(3, n)); };
  auto x = random_vector<T>(3 * n, 1), dy = random_vector<T>(3 * n, 2);
  for (index_t i = 0; i < n; ++i) x[i] *= T(0x1p-60);  // less than the least norm
  std::vector<T> y(x.size()), dx(y);
  const kernel<l2_normalize<l2_config{}, T>, reference> k;
  k(at(x), at(y)), k.backward_data(at(dy), at(x), at(dx));
  for (index_t r = 0; r < 3; ++r) {
    long double squares = 0, dot = 0;
    for (index_t i = r * n; i < (r + 1) * n; ++i)
      squares += static_cast<long double>(x[i]) * x[i], dot += static_cast<long double>(dy[i]) * x[i];
    const long double norm = std::sqrt(squares), by = norm < 0x1p-40L ? 0x1p40L : 1 / norm,
                      unit = sizeof(T) == 4 ? 0x1p-24L : 0x1p-53L;
    for (index_t i = r * n; i < (r + 1) * n; ++i) {
      const long double projected = norm < 0x1p-40L ? 0 : x[i] * dot * by * by;
      CHECK(std::fabs(y[i] - x[i] * by) <= 16 * unit * std::fabs(x[i] * by));
      CHECK(std::fabs(dx[i] - (dy[i] - projected) * by) <= 64 * unit * by * (std::fabs(dy[i]) + std::fabs(x[i] * by)));
    }
  }
}

}  // namespace
}  // namespace tern::test
