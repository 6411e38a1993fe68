// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul on the threads of OpenMP and oneTBB, where they are there. Not under the thread sanitizer, which knows
// neither.
#include "tests/kernel/matmul_on_executor.hpp"
#include "tests/support/catch.hpp"

#if defined(_OPENMP)
#include "tern/exec/cpu/openmp.hpp"
#endif
#if defined(TERN_TEST_ONETBB)
#include <oneapi/tbb/global_control.h>

#include "tern/exec/cpu/onetbb.hpp"
#endif

namespace tern::test {

#if defined(_OPENMP)
TEST_CASE("OpenMP gives the bits of the reference", "[matmul][simd]") {
  for (int threads = 1; threads <= 4; ++threads) {
    openmp run{.threads = threads, .cpus = threads};
    check_executor(any_executor::of("OpenMP", run));
  }
}
#endif

#if defined(TERN_TEST_ONETBB)
TEST_CASE("oneTBB gives the bits of the reference", "[matmul][simd]") {
  for (int threads = 1; threads <= 4; ++threads) {
    const oneapi::tbb::global_control most(oneapi::tbb::global_control::max_allowed_parallelism, 4);
    oneapi::tbb::task_arena arena(threads);
    arena.execute([threads] {
      onetbb run{.cpus = threads};
      check_executor(any_executor::of("oneTBB", run));
    });
  }
}
#endif

}  // namespace tern::test
