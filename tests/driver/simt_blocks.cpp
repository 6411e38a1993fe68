// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of a family under simt with small blocks give the bits of the reference in the host contexts: both orders of
// threads, and a thread per lane.
//
// TERN_FAMILY  the family, of the header that CMake includes before
#include "tern/simt.hpp"

#include "tern/exec/simt/thread_block.hpp"
#include "tests/driver/next_order.hpp"
#include "tests/driver/parity.hpp"
#include "tests/simt/small_tiles.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {
namespace {

// Fewer threads than a short row has elements, and rows in pieces.
using small_blocks = simt<devices::h200, numerics::exact, small_tiles>;

TEST_CASE("calls under simt with small blocks give the bits of the reference", "[simt]") {
  parity<small_blocks, decltype(next_order)> run(next_order, TERN_FAMILY::most / 3);
  for (int i = 0; i < thinned(TERN_FAMILY::cases / 4); ++i) TERN_FAMILY::calls<float>(run);
}

TEST_CASE("calls with a thread per lane give the bits of the reference", "[simt]") {
  const auto threads = [](const auto&) { return simt_threads{}; };
  parity<small_blocks, decltype(threads)> run(threads, TERN_FAMILY::most / 100);
  for (int i = 0; i < 1 + TERN_FAMILY::cases / 250; ++i) TERN_FAMILY::calls<float>(run);
}

}  // namespace
}  // namespace tern::test
