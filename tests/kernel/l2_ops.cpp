// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// L2 normalisation against formulas in long double, and the same bits under every policy.
#include <cmath>
#include <type_traits>
#include <vector>

#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "tests/kernel/declared_driver.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

TEMPLATE_TEST_CASE("an L2 normalisation is what its formula says, and its gradient is", "[l2]", float, double) {
  using T = TestType;
  const index_t n = 1009;
  const auto at = [](std::vector<T>& v) { return view<T, dims<2>>(v.data(), dims<2>(3, n)); };
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

TEMPLATE_TEST_CASE("L2 normalisations give the same bits under every policy", "[l2]", float, double) {
  using T = TestType;
  const auto check = [&]<l2_config C>(std::integral_constant<l2_config, C>, index_t n, index_t c, index_t w) {
    auto x = random_vector<T>(n * c * w, 1), dy = random_vector<T>(n * c * w, 2);
    const dims<3> shape(n, c, w);
    const auto results = [&]<class Policy>(std::type_identity<Policy>, auto&&... state) {
      const kernel<l2_normalize<C, T>, Policy> k;
      std::vector<T> y(x.size(), 7), dx(y);
      k(state..., view(x.data(), shape), view(y.data(), shape));
      for (int twice = 0; twice < 2; ++twice)
        k.backward_data(state..., view(dy.data(), shape), view(x.data(), shape), view(dx.data(), shape), accumulate);
      y.insert(y.end(), dx.begin(), dx.end());
      return y;
    };
    const auto wanted = results(std::type_identity<reference>{});
    auto state = kernel<l2_normalize<C, T>, mimd<>>::make_state(view(x.data(), shape));
    CHECK(wanted == results(std::type_identity<simd<>>{}));
    CHECK(wanted == results(std::type_identity<mimd<>>{}, state));
    CHECK(wanted == results(std::type_identity<simt<>>{}, simt_host{.reverse = true}));
  };
  for (const index_t w : {1, 5, 40, 300, 5000}) check(std::integral_constant<l2_config, l2_config{}>(), 2, 3, w);
  for (const index_t w : {1, 19, 64}) check(std::integral_constant<l2_config, l2_config{.axis = 1}>(), 2, 70, w);
}

TEMPLATE_TEST_CASE("declarations of L2 normalisations hold", "[declared][l2]", float, double) {
  using op = l2_normalize<l2_config{}, TestType>;
  for (unsigned seed = 0; seed < 20; ++seed) {
    CHECK(declared_driver<op, simd<>, declare::l2_pass<op::config, TestType>, 4>(seed).complaint() == "");
    CHECK(declared_driver<op, reference, declare::l2_gradient_pass<op::config, TestType>, 2>(seed).complaint() == "");
  }
}

}  // namespace
}  // namespace tern::test
