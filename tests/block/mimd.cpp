// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps on tiles, against the reference: on cores as tiles, and on tiles that see their own memory only.
#include "tern/exec/cpu/team.hpp"
#include "tests/block/compare_trainings.hpp"

namespace tern::test {

TEST_CASE("networks train on cores as tiles with the bits of the reference") {
  team three({.threads = 3, .oversubscribe = true});
  compare_trainings<runner::cores>(any_executor::of("team of 3", three));
}

TEST_CASE("networks train on tiles with the bits of the reference") { compare_trainings<runner::tiles>({}); }

}  // namespace tern::test
