// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Gated linear units against formulas in long double, and the same bits under every policy.
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

constexpr glu_config silu{.act = activation::silu};

TEMPLATE_TEST_CASE("a swiglu is what its formula says, and its gradients are", "[glu]", float, double) {
  using T = TestType;
  const auto at = [](std::vector<T>& v) { return view<T, dims<2>>(v.data(), dims<2>(3, 1009)); };
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

TEMPLATE_TEST_CASE("gated linear units give the same bits under every policy", "[glu]", float, double) {
  using T = TestType;
  const index_t n = 3, c = 19, h = 7, w = 9;
  auto gate = random_vector<T>(n * c * h * w, 1), x = random_vector<T>(n * c * h * w, 2),
       dy = random_vector<T>(n * c * h * w, 3);
  const auto results = [&]<class Policy>(std::type_identity<Policy>, auto&&... state) {
    const kernel<swiglu<T>, Policy> k;
    std::vector<T> y(x.size(), 7), dgate(y), dx(y);
    k(state..., last(gate, n, c, h, w), view(x.data(), dims<4>(n, c, h, w)), last(y, n, c, h, w));
    for (int twice = 0; twice < 2; ++twice)
      k.backward_data(state..., last(dy, n, c, h, w), last(gate, n, c, h, w), view(x.data(), dims<4>(n, c, h, w)),
                      last(dgate, n, c, h, w), last(dx, n, c, h, w), accumulate);
    for (const auto* v : {&dgate, &dx}) y.insert(y.end(), v->begin(), v->end());
    return y;
  };
  const auto wanted = results(std::type_identity<reference>{});
  auto state = kernel<swiglu<T>, mimd<>>::make_state(last(x, n, c, h, w));
  CHECK(wanted == results(std::type_identity<simd<>>{}));
  CHECK(wanted == results(std::type_identity<mimd<>>{}, state));
  CHECK(wanted == results(std::type_identity<simt<>>{}, simt_host{.reverse = true}));
}

template <class Pass, class Op>
void check_declaration() {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CHECK(declared_driver<Op, simd<>, Pass, 4>(seed).complaint() == "");
    CHECK(declared_driver<Op, reference, Pass, 2>(seed).complaint() == "");
  }
}
TEMPLATE_TEST_CASE("declarations of gated linear units hold", "[declared][glu]", float, double) {
  check_declaration<declare::glu_pass<silu, TestType>, glu<silu, TestType>>();
  check_declaration<declare::glu_gradient_pass<silu, TestType>, glu<silu, TestType>>();
}

}  // namespace
}  // namespace tern::test
