// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Convolutions under simt in the host contexts: large, small and odd tiles, both orders of threads, every run-ahead.
#include "tern/simt.hpp"

#include "tests/kernel/conv_parity.hpp"
#include "tests/simt/small_tiles.hpp"

namespace tern::test {

/// States that take turns from call to call.
simt_host next_state(const conv_shape&) {
  static int turn = 0;
  ++turn;
  return {.reverse = turn % 2 != 0, .run_ahead = turn / 2 % 5};
}

TEMPLATE_TEST_CASE("convolutions under simt give the bits of the reference", "[conv][simt]", float, double) {
  conv_sums_parity<simt<>, TestType>(next_state, 300);
  conv_gradient_parity<simt<>, TestType>(next_state, 300);
}

TEST_CASE("convolutions under simt with large tiles give the bits of the reference", "[conv][simt]") {
  conv_sums_parity<simt<one_multiprocessor>, float>(next_state, 100);
  conv_gradient_parity<simt<one_multiprocessor>, float>(next_state, 100);
}

TEST_CASE("convolutions under simt with odd tiles give the bits of the reference", "[conv][simt]") {
  using policy = simt<devices::h200, numerics::exact, small_tiles>;
  conv_sums_parity<policy, float>(next_state, 1000);
  conv_gradient_parity<policy, float>(next_state, 1000);
}

}  // namespace tern::test
