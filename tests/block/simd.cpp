// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps under simd, on one thread and several, against the reference.
#include "tern/exec/cpu/team.hpp"
#include "tests/block/compare_trainings.hpp"

namespace tern::test {

TEST_CASE("networks train under simd with the bits of the reference") {
  serial one;
  compare_trainings<runner::simd>(any_executor::of("serial", one));
  team three({.threads = 3, .oversubscribe = true});
  compare_trainings<runner::simd>(any_executor::of("team of 3", three));
}

}  // namespace tern::test
