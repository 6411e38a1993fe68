// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions under simd.
#include "tern/simd.hpp"

#include "tests/kernel/conv_parity.hpp"

#if !defined(TERN_TEST_EVERY)
#define TERN_TEST_EVERY 1
#endif

namespace tern::test {

TEMPLATE_TEST_CASE("convolutions under simd give the bits of the reference", "[conv][simd]", float, double) {
  conv_sums_parity<simd<>, TestType>([](const conv_shape&) { return serial{}; }, 1000 / TERN_TEST_EVERY);
}

TEMPLATE_TEST_CASE("gradients of convolutions under simd give the bits of the reference", "[conv][simd]", float,
                   double) {
  conv_gradient_parity<simd<>, TestType>([](const conv_shape&) { return serial{}; }, 1000 / TERN_TEST_EVERY);
}

// Tasks one after the other, the last one first: what they write must not depend on it.
TEST_CASE("convolutions on executors give the bits of the reference", "[conv][simd]") {
  const auto backwards = [](const conv_shape& s) {
    return with_concurrency{[](index_t n, task_ref f) {
                              for (index_t i = n; i-- > 0;) f(i);
                            },
                            s.batch + 2};
  };
  conv_sums_parity<simd<>, float>(backwards, 150 / TERN_TEST_EVERY, 3e6);
  conv_gradient_parity<simd<>, float>(backwards, 150 / TERN_TEST_EVERY, 3e6);
}

}  // namespace tern::test
