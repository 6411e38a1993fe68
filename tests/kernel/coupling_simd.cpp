// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Couplings under simd.
#include "tern/simd.hpp"

#include "tests/kernel/all_in_memory.hpp"
#include "tests/kernel/coupling_parity.hpp"
#include "tests/support/some_executor.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("couplings under simd give the bits of the reference", "[coupling][simd]", float, double) {
  coupling_parity<simd<>, TestType>(some_executor, thinned(60));
}

TEMPLATE_TEST_CASE("couplings that store past the caches give the bits of the reference", "[coupling][simd]", float,
                   double) {
  coupling_parity<far_policy, TestType>(some_executor, thinned(30));
}

}  // namespace tern::test
