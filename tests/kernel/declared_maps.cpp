// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of elementwise ops, and of ops that move elements, hold.
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

template <class Op, bool Backward, class... Option>
void check_moves(const Option&... option) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    INFO(Op::name << ", seed " << seed);
    using pass = declare::moving_pass<typename Op::op_type, Backward>;
    CHECK(declared_driver<Op, simd<>, pass, 4>(seed, 4).complaint(option...) == "");
    CHECK(declared_driver<Op, reference, pass, 4>(seed, 4).complaint(option...) == "");
  }
}
template <class Op>
void check_both_ways() {
  check_moves<Op, false>();
  check_moves<Op, true>();
}

TEST_CASE("declarations of ops that move elements hold", "[declared][rearrange]") {
  check_both_ways<reorder<float>>();
  check_both_ways<channel_shuffle<channel_shuffle_config{.groups = 2}>>();
  check_both_ways<space_to_depth2d<space_to_depth2d_config{}, double>>();
  check_both_ways<depth_to_space2d<space_to_depth2d_config{.order = depth_order::crd}>>();
  check_both_ways<upsample2d<upsample2d_config{.factor = {2, 3}}>>();
  check_both_ways<upsample2d<upsample2d_config{.mode = interpolation::linear}, double>>();
  check_both_ways<pad2d<pad2d_config{.before = {1, 0}, .after = {2, 1}, .mode = border::reflect}>>();
  check_moves<pad2d<pad2d_config{.before = {1, 2}}>, false>(padding_value{-1});
}

}  // namespace
}  // namespace tern::test
