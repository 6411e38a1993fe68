// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of a family under simt on a machine that large tiles fill give the bits of the reference in the host contexts.
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

TEST_CASE("calls under simt with large tiles give the bits of the reference", "[simt]") {
  parity<simt<one_multiprocessor>, decltype(next_order)> run(next_order, TERN_FAMILY::most / 3);
  for (int i = 0; i < thinned(TERN_FAMILY::cases / 6); ++i) TERN_FAMILY::calls<float>(run);
}

TEST_CASE("calls with large tiles and a thread per lane give the bits of the reference", "[simt]") {
  const auto threads = [](const auto&) { return simt_threads{}; };
  parity<simt<one_multiprocessor, numerics::exact, small_tiles>, decltype(threads)> run(threads,
                                                                                        TERN_FAMILY::most / 100);
  for (int i = 0; i < 1 + TERN_FAMILY::cases / 500; ++i) TERN_FAMILY::calls<float>(run);
}

}  // namespace
}  // namespace tern::test
