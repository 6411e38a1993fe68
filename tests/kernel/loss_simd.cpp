// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Losses under simd.
#include "tern/simd.hpp"

#include "tests/kernel/loss_parity.hpp"
#include "tests/support/some_executor.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("losses under simd give the bits of the reference", "[loss][simd]", float, double) {
  loss_parity<simd<>, TestType>(some_executor, some_executor, thinned(100));
}

}  // namespace tern::test
