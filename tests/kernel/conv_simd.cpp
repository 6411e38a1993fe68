// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions under simd.
#include "tern/simd.hpp"

#include "tests/kernel/conv_parity.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("convolutions under simd give the bits of the reference", "[conv][simd]", float, double) {
  conv_sums_parity<simd<>, TestType>([](const conv_shape&) { return serial{}; }, 1000);
}

TEMPLATE_TEST_CASE("gradients of convolutions under simd give the bits of the reference", "[conv][simd]", float,
                   double) {
  conv_gradient_parity<simd<>, TestType>([](const conv_shape&) { return serial{}; }, 1000);
}

}  // namespace tern::test
