// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul under simt in the host contexts: large, small and odd tiles, both orders of threads, every run-ahead.
#include "tern/simt.hpp"

#include "tern/exec/simt/thread_block.hpp"
#include "tests/kernel/matmul_parity.hpp"
#include "tests/simt/small_tiles.hpp"

namespace tern::test {

/// States that take turns from case to case.
class turning_states {
 public:
  simt_host operator()(index_t, index_t, index_t) {
    ++turn_;
    return {.reverse = turn_ % 2 != 0, .run_ahead = turn_ / 2 % 5};
  }

 private:
  int turn_ = 0;
};

TEMPLATE_TEST_CASE("matmul under simt gives the bits of the reference", "[matmul][simt]", float, double) {
  turning_states next;
  matmul_parity<simt<>, TestType>([&](index_t m, index_t n, index_t k) { return next(m, n, k); });
}

TEMPLATE_TEST_CASE("matmul under simt with large tiles gives the bits of the reference", "[matmul][simt]", float,
                   double) {
  turning_states next;
  matmul_parity<simt<one_multiprocessor>, TestType>([&](index_t m, index_t n, index_t k) { return next(m, n, k); });
}

TEST_CASE("matmul under simt with odd tiles gives the bits of the reference", "[matmul][simt]") {
  turning_states next;
  matmul_parity<simt<devices::h200, numerics::exact, small_tiles>, float>(
      [&](index_t m, index_t n, index_t k) { return next(m, n, k); });
}

}  // namespace tern::test
