// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions under simd.
#include "tern/simd.hpp"

#include "tests/kernel/conv_parity.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("convolutions under simd give the bits of the reference", "[conv][simd]", float, double) {
  conv_sums_parity<simd<>, TestType>([](const conv_shape&) { return serial{}; }, thinned(1000));
}

TEMPLATE_TEST_CASE("gradients of convolutions under simd give the bits of the reference", "[conv][simd]", float,
                   double) {
  conv_gradient_parity<simd<>, TestType>([](const conv_shape&) { return serial{}; }, thinned(1000));
}

// Tasks one after the other, the last one first: what they write must not depend on it.
TEST_CASE("convolutions on executors give the bits of the reference", "[conv][simd]") {
  const auto backwards = [](const conv_shape& s) {
    return with_concurrency{[](index_t n, task_ref f) {
                              for (index_t i = n; i-- > 0;) f(i);
                            },
                            s.batch + 2};
  };
  conv_sums_parity<simd<>, float>(backwards, thinned(150), 3e6);
  conv_gradient_parity<simd<>, float>(backwards, thinned(150), 3e6);
}

}  // namespace tern::test
