// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of a family under simt give the bits of the reference in a host context, with both orders of threads.
//
// TERN_FAMILY  the family, of the header that CMake includes before
// TERN_TYPES   element types
#include "tern/simt.hpp"

#include "tests/driver/next_order.hpp"
#include "tests/driver/parity.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {
namespace {

TEMPLATE_TEST_CASE("calls under simt give the bits of the reference", "[simt]", TERN_TYPES) {
  parity<simt<>, decltype(next_order)> run(next_order, TERN_FAMILY::most / 3);
  for (int i = 0; i < thinned(TERN_FAMILY::cases / 3); ++i) TERN_FAMILY::calls<TestType>(run);
}

}  // namespace
}  // namespace tern::test
