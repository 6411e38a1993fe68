// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rearrangements and resamplings under simd.
#include "tern/simd.hpp"

#include "tests/kernel/rearrange_parity.hpp"
#include "tests/support/some_executor.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("rearrangements under simd give the bits of the reference", "[rearrange][simd]", float, double) {
  move_parity<simd<>, TestType, false>(some_executor, thinned(120));
  move_parity<simd<>, TestType, true>(some_executor, thinned(60));
}

TEST_CASE("narrow elements move, too", "[rearrange][simd]") {
  move_parity<simd<>, bfloat16, false>(some_executor, thinned(40));
}

TEST_CASE("a plan says how many tasks an executor gets", "[rearrange][simd]") {
  float* const none = nullptr;
  const view large(none, extents<8, 64, 56, 56>{});
  const view small(none, extents<1, 2, 3, 4>{});
  CHECK(kernel<reorder<>, simd<>>::plan(large, pass::forward, 4).units == 4);
  CHECK(kernel<reorder<>, simd<>>::plan(large).units == 1);
  CHECK(kernel<reorder<>, simd<>>::plan(small, pass::forward, 4).units == 1);
}

TEMPLATE_TEST_CASE("resamplings under simd give the bits of the reference", "[rearrange][simd]", float, double) {
  resampling_parity<simd<>, TestType>(some_executor, thinned(150));
}

}  // namespace tern::test
