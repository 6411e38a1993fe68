// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Public calls of a family under the reference, in any layout and in place, give the bits of those on dense tensors,
// and refuse what overlaps.
//
// TERN_FAMILY  the family, of the header that CMake includes before
#include "tern/reference.hpp"

#include "tests/driver/parity.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {
namespace {

TEST_CASE("public calls have the same bits in any layout", "[reference]") {
  const auto none = [](const auto&) { return impl::no_state(); };
  parity<reference, decltype(none)> run(none, TERN_FAMILY::most / 3);
  for (int i = 0; i < thinned(TERN_FAMILY::cases / 2); ++i) TERN_FAMILY::calls<float>(run);
}

}  // namespace
}  // namespace tern::test
