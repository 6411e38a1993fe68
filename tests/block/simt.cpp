// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps under simt in the host contexts, both orders of threads, against the reference.
#include "tests/block/compare_trainings.hpp"

namespace tern::test {

TEST_CASE("networks train under simt with the bits of the reference") {
  compare_trainings<runner::simt>({});
  compare_trainings<runner::simt_reversed>({});
}

}  // namespace tern::test
