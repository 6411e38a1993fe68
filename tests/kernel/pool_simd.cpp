// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools under simd.
#include "tern/simd.hpp"

#include "tests/kernel/pool_parity.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("pools under simd give the bits of the reference", "[pool][simd]", float, double) {
  pool_values_parity<simd<>, TestType>([](const auto&) { return serial{}; }, thinned(1000));
}

TEMPLATE_TEST_CASE("gradients of pools under simd give the bits of the reference", "[pool][simd]", float, double) {
  pool_gradient_parity<simd<>, TestType>([](const auto&) { return serial{}; }, thinned(1000));
}

// Tasks one after the other, the last one first: what they write must not depend on it.
TEST_CASE("pools on executors give the bits of the reference", "[pool][simd]") {
  const auto backwards = [](const auto& q) {
    return with_concurrency{[](index_t n, task_ref f) {
                              for (index_t i = n; i-- > 0;) f(i);
                            },
                            q.shape.batch + 4};
  };
  pool_values_parity<simd<>, float>(backwards, thinned(150), 5e5);
  pool_gradient_parity<simd<>, float>(backwards, thinned(150), 5e5);
}

}  // namespace tern::test
