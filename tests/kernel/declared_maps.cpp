// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of elementwise ops hold.
#include "tern/simd.hpp"
#include "tests/kernel/declared_driver.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

using declare::elementwise_weight;

template <class Op, class Pass, bool Vectors, class... Option>
void check(const Option&... option) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    INFO("seed " << seed);
    CHECK(declared_driver<Op, simd<>, Pass, 4, Vectors>(seed).complaint(option...) == "");
    CHECK(declared_driver<Op, reference, Pass, 2, Vectors>(seed).complaint(option...) == "");
  }
}
template <class Op, class Pass, class... Option>
void check_shapes(const Option&... option) {
  check<Op, Pass, false>(option...);
  check<Op, Pass, true>(option...);
}

TEMPLATE_TEST_CASE("declarations of elementwise ops hold", "[declared][map]", float, double) {
  using T = TestType;
  constexpr elementwise_config relu{.residual = true, .act = activation::relu},
      all{.scale = true, .bias = true, .residual = true, .act = activation::prelu};
  check<elementwise<relu, T>, declare::elementwise_pass<relu, T>, false>();
  check<elementwise<relu, T>, declare::elementwise_gradient_pass<relu, T>, false>();
  check_shapes<elementwise<all, T>, declare::elementwise_pass<all, T>>();
  check_shapes<elementwise<all, T>, declare::elementwise_gradient_pass<all, T>>();
  check_shapes<elementwise<all, T>, declare::elementwise_sums_pass<all, T, elementwise_weight::scale>>();
  check_shapes<elementwise<all, T>, declare::elementwise_sums_pass<all, T, elementwise_weight::bias>>();
  check_shapes<elementwise<all, T>, declare::elementwise_sums_pass<all, T, elementwise_weight::slope>>();
}

}  // namespace
}  // namespace tern::test
