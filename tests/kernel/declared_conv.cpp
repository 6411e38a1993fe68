// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of convolutions hold.
#include "tern/simd.hpp"
#include "tests/kernel/declared_driver.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

/// The passes of an op, under the reference and under simd.
template <class Op, bool Transposed, class Policy>
void check_under() {
  using passes = declare::conv_passes<typename Op::op_type, Policy, Transposed>;
  constexpr int rank = Op::rank + 2;
  for (unsigned seed = 0; seed < 10; ++seed) {
    INFO(Op::name << ", seed " << seed);
    CHECK(declared_driver<Op, Policy, typename passes::forward, rank>(seed).complaint() == "");
    CHECK(declared_driver<Op, Policy, typename passes::backward_data, rank>(seed).complaint() == "");
    CHECK(declared_driver<Op, Policy, typename passes::template backward_weights<false>, rank>(seed).complaint() == "");
    if constexpr (!Op::config.scale)
      CHECK(declared_driver<Op, Policy, typename passes::template backward_weights<true>, rank>(seed).complaint() ==
            "");
  }
}
template <class Op, bool Transposed = false>
void check() {
  check_under<Op, Transposed, reference>();
  check_under<Op, Transposed, simd<>>();
}

TEST_CASE("declarations of convolutions hold", "[declared][conv]") {
  check<conv1d<conv1d_config{.in = 3, .out = 5, .kernel = {3}, .pad = {1}, .bias = true}>>();
  check<conv2d<conv2d_config{.in = 4,
                             .out = 6,
                             .groups = 2,
                             .kernel = {3, 1},
                             .stride = {2, 1},
                             .pad = {1, 0},
                             .scale = true,
                             .bias = true,
                             .residual = true,
                             .act = activation::relu},
               double>>();
  check<conv3d<conv3d_config{.in = 2, .out = 3, .kernel = {1, 2, 3}, .pad = {0, 1, 1}}>>();
  check<conv_transpose2d<conv_transpose2d_config{.in = 3, .out = 2, .kernel = {2, 3}, .stride = {2, 1}}>, true>();
}

}  // namespace
}  // namespace tern::test
