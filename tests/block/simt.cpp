// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps under simt in the host contexts, both orders of threads, against the reference.
#include "tern/simt.hpp"

#include "tests/block/trainings.hpp"

namespace tern::test {

TEST_CASE("networks train under simt with the bits of the reference") {
  for (bool reverse : {false, true}) compare_trainings<simt<>>([&] { return simt_host{.reverse = reverse}; });
}

}  // namespace tern::test
