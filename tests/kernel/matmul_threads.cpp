// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul on 1 to 4 threads gives the bits of the reference. Runs under the thread sanitizer, too.
#include <atomic>
#include <thread>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tests/kernel/matmul_on_executor.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

TEST_CASE("one to four threads of a team give the bits of the reference", "[matmul][simd][threads]") {
  for (int threads = 1; threads <= 4; ++threads) {
    team run({.threads = threads, .oversubscribe = true});
    check_executor(any_executor::of("team", run));
  }
}

TEST_CASE("any callable will do as an executor", "[matmul][simd][threads]") {
  with_concurrency backwards{[](index_t n, task_ref f) {
                               for (index_t i = n; i > 0; --i) f(i - 1);
                             },
                             5};
  check_executor(any_executor::of("backwards", backwards));
  with_concurrency new_threads{[](index_t n, task_ref f) {
                                 std::vector<std::thread> all;
                                 for (index_t i = 0; i < n; ++i) all.emplace_back([f, i] { f(i); });
                                 for (std::thread& t : all) t.join();
                               },
                               3};
  check_executor(any_executor::of("new threads", new_threads));
  serial caller;
  check_executor(any_executor::of("serial", caller));
}

TEST_CASE("two callers may use one team at a time", "[matmul][simd][threads]") {
  team run({.threads = 2, .oversubscribe = true});
  std::atomic<int> sum{0};
  const auto work = [&] {
    for (int i = 0; i < 50; ++i) {
      const auto add = [&](index_t) { sum.fetch_add(1, std::memory_order_relaxed); };
      run(4, add);
    }
  };
  std::thread other(work);
  work();
  other.join();
  CHECK(sum == 400);
}

}  // namespace tern::test
