// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tests/verify/executors.hpp"

#include <thread>

#include "tern/exec/cpu/team.hpp"
#if defined(_OPENMP)
#include "tern/exec/cpu/openmp.hpp"
#endif
#if defined(TERN_VERIFY_ONETBB)
#include "tern/exec/cpu/onetbb.hpp"
#endif

namespace tern::test {
namespace {

/// A thread for every task, the last task first.
void new_threads(index_t n, task_ref f) {
  if (n == 0) return;
  std::thread other([&] { new_threads(n - 1, f); });
  f(n - 1);
  other.join();
}

}  // namespace

executor_list executors() {
  const auto of = [](int threads) { return team_options{.threads = threads, .oversubscribe = true}; };
  static team one(of(1)), two(of(2)), three(of(3)), four(of(4));
  static with_concurrency callable{new_threads, 3};
#if defined(_OPENMP)
  static openmp omp{3};
#endif
#if defined(TERN_VERIFY_ONETBB)
  static onetbb tbb;
#endif
  static const any_executor all[] = {
      any_executor::of("team of 1 thread", one),
      any_executor::of("team of 2 threads", two),
      any_executor::of("team of 3 threads", three),
      any_executor::of("team of 4 threads", four),
      any_executor::of("a callable, 3 threads", callable),
#if defined(_OPENMP)
      any_executor::of("OpenMP, 3 threads", omp),
#endif
#if defined(TERN_VERIFY_ONETBB)
      any_executor::of("oneTBB", tbb),
#endif
  };
  return {all, static_cast<int>(sizeof all / sizeof all[0])};
}

}  // namespace tern::test
