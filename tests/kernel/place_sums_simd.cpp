// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over places of norms under simd.
#include "tern/simd.hpp"

#include "tests/kernel/place_sums_parity.hpp"
#include "tests/support/some_executor.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("sums over places under simd give the bits of the reference", "[map][simd]", float, double) {
  sum_parity<simd<>, TestType>(some_executor, thinned(150));
}

}  // namespace tern::test
