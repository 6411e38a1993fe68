// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of the calls of losses hold.
#include "tern/simd.hpp"
#include "tests/kernel/declared_driver.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

constexpr loss_config each{.reduce = reduction::none}, sums{.reduce = reduction::sum}, means{};

/// \tparam Rank  axes of x
template <class Op, class Pass, int Rank, class... Option>
void check(const Option&... option) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    INFO(Op::name << ", seed " << seed);
    CHECK(declared_driver<Op, simd<>, Pass, Rank>(seed, 1, "classes").complaint(option...) == "");
  }
}

template <loss_kind K, class T>
void check_elements() {
  check<element_loss<K, each, T>, declare::element_loss_pass<K, each, T>, 4>();
  check<element_loss<K, means, T>, declare::element_loss_pass<K, means, T>, 2>();
  check<element_loss<K, each, T>, declare::element_loss_gradient_pass<K, each, T>, 4>();
  check<element_loss<K, sums, T>, declare::element_loss_gradient_pass<K, sums, T>, 2>(loss_scale{3});
}

TEMPLATE_TEST_CASE("declarations of losses of elements hold", "[declared][loss]", float, double) {
  check_elements<loss_kind::squared_error, TestType>();
  check_elements<loss_kind::bce_with_logits, TestType>();
  check_elements<loss_kind::gaussian_nll, TestType>();
  check_elements<loss_kind::gaussian_kl, TestType>();
}

TEMPLATE_TEST_CASE("declarations of cross-entropies hold", "[declared][loss]", float, double) {
  using T = TestType;
  check<cross_entropy<each, T>, declare::cross_entropy_pass<each, T, false>, 4>();
  check<cross_entropy<means, T>, declare::cross_entropy_pass<means, T, true>, 2>(label_smoothing{0.2});
  check<cross_entropy<each, T>, declare::cross_entropy_gradient_pass<each, T, true>, 3>(label_smoothing{0.2});
  check<cross_entropy<sums, T>, declare::cross_entropy_gradient_pass<sums, T, false>, 4>(loss_scale{3});
}

TEMPLATE_TEST_CASE("declarations of losses of several numbers hold", "[declared][loss]", float, double) {
  using T = TestType;
  check<multivariate_gaussian_nll<3, sums, T>, declare::multivariate_pass<3, sums, T>, 2>();
  check<multivariate_gaussian_nll<2, each, T>, declare::multivariate_gradient_pass<2, each, T>, 2>();
}

}  // namespace
}  // namespace tern::test
