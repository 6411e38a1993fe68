// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations of matmul hold.
#include <type_traits>

#include "tern/simd.hpp"
#include "tests/kernel/declared_driver.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

template <matmul_config C, class T>
void check_passes() {
  constexpr int rank = C.batch == 1 ? 2 : 3;
  const auto check = []<class Pass>(std::type_identity<Pass>) {
    for (unsigned seed = 0; seed < 20; ++seed) {
      INFO(Pass::declared.pass << ", seed " << seed);
      CHECK(declared_driver<matmul<C, T>, simd<>, Pass, rank>(seed).complaint() == "");
      CHECK(declared_driver<matmul<C, T>, reference, Pass, rank>(seed).complaint() == "");
    }
  };
  check(std::type_identity<declare::matmul_pass<C, T>>{});
  check(std::type_identity<declare::matmul_gradient_pass<C, T>>{});
  check(std::type_identity<declare::matmul_weights_pass<C, T, false>>{});
  check(std::type_identity<declare::matmul_weights_pass<C, T, true>>{});
}

TEMPLATE_TEST_CASE("declarations of matmul hold", "[declared][matmul]", float, double) {
  using T = TestType;
  check_passes<matmul_config{}, T>();
  check_passes<matmul_config{.m = 5, .n = 3, .k = 4, .residual = true}, T>();
  check_passes<matmul_config{.k = 7, .batch = dynamic, .bias = true, .act = activation::prelu}, T>();
}

}  // namespace
}  // namespace tern::test
