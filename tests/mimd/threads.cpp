// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tiles on real threads: the same bits, and nothing for the thread sanitizer to find.
#include "tests/mimd/threads.hpp"

#include "tests/mimd/calls.hpp"

namespace tern::test {

TEST_CASE("threads change nothing", "[mimd][threads]") {
  unsigned seed = Catch::rngSeed();
  for (const index_t count : {1, 2, 4}) {
    threads team{count};
    for (const problem& q : {problem{40, 200, 1030}, problem{7, 16, 5000}, problem{9, 40, 700, 3}}) {
      const tile_plan p = plan_of<exact_tiles>(q, {7, few_tiles.local_bytes});
      tile_machine machine(7, p.bytes_per_tile, team);
      check_exact<exact_tiles>(q, p, machine, ++seed);
      with_concurrency adapted{[&](index_t n, task_ref f) { team(n, f); }, count};
      tile_machine cores(count, 1 << 18, adapted);
      operands_of wanted(q, seed), got(q, seed);
      const contraction_kernel<reference>::context plain_loops;
      wanted.multiply<reference>(plain_loops, accumulate);
      got.multiply<mimd<>>(cores, accumulate);
      CHECK(equal_bits(wanted.c, got.c));
    }
  }
}

}  // namespace tern::test
