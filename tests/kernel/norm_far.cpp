// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms and softmax with results that are taken to be large: stores past the caches and cores that share one call
// change no bit, at any alignment.
#include "tern/simd.hpp"

#include "tests/kernel/all_in_memory.hpp"
#include "tests/kernel/norm_parity.hpp"
#include "tests/kernel/softmax_parity.hpp"
#include "tests/support/some_executor.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

TEST_CASE("norms to memory give the bits of the reference", "[norm][simd]") {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < thinned(150); ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    check_norm<far_policy, float, norm_steps{.residual = true}>(engine, some_executor, 200000);
    check_norm<far_policy, float, norm_steps{.scale = false, .rows = true}>(engine, some_executor, 200000);
    check_norm<far_policy, float, norm_steps{.batch = true}>(engine, some_executor, 200000);
    check_norm<far_policy, double, norm_steps{.center = false, .shift = false}>(engine, some_executor, 200000);
  }
}

TEMPLATE_TEST_CASE("softmax to memory gives the bits of the reference", "[softmax][simd]", float, double) {
  std::mt19937 engine(Catch::rngSeed());
  for (int i = 0; i < thinned(150); ++i) {
    INFO("case " << i << " of seed " << Catch::rngSeed());
    check_softmax<far_policy, TestType, false, false>(engine, some_executor, 60000);
    check_softmax<far_policy, TestType, true, false>(engine, some_executor, 60000);
  }
}

}  // namespace tern::test
