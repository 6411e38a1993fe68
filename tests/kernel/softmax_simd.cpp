// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax under simd.
#include "tern/simd.hpp"

#include "tests/kernel/softmax_parity.hpp"
#include "tests/support/some_executor.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("softmax under simd gives the bits of the reference", "[softmax][simd]", float, double) {
  softmax_parity<simd<>, TestType>(some_executor, thinned(100));
}

}  // namespace tern::test
