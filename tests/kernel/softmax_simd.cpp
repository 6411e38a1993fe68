// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Softmax under simd.
#include "tern/simd.hpp"

#include "tests/kernel/softmax_parity.hpp"
#include "tests/support/any_executor.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

/// The calling thread, or tasks one after the other, the last one first: what they write must not depend on it.
const auto some_executor = [](const auto&) {
  static bool turn = false;
  static serial one;
  static with_concurrency backwards{[](index_t n, task_ref f) {
                                      for (index_t i = n; i-- > 0;) f(i);
                                    },
                                    5};
  turn = !turn;
  return turn ? any_executor::of("serial", one) : any_executor::of("backwards", backwards);
};

TEMPLATE_TEST_CASE("softmax under simd gives the bits of the reference", "[softmax][simd]", float, double) {
  softmax_parity<simd<>, TestType>(some_executor, thinned(100));
}

}  // namespace tern::test
