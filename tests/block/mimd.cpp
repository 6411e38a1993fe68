// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps on tiles, against the reference: on cores as tiles, and on tiles that see their own memory only.
#include "tern/mimd.hpp"

#include "tern/exec/cpu/team.hpp"
#include "tests/block/trainings.hpp"
#include "tests/mimd/devices.hpp"

namespace tern::test {

TEST_CASE("networks train on cores as tiles with the bits of the reference") {
  using policy = mimd<devices::native_tiles>;
  team three({.threads = 3, .oversubscribe = true});
  compare_trainings<policy>([&] { return network<alone, picture_shape, policy>::make_state(three); });
}

TEST_CASE("networks train on tiles with the bits of the reference") {
  using policy = mimd<few_tiles>;
  compare_trainings<policy>([] { return network<alone, picture_shape, policy>::make_state(); });
}

}  // namespace tern::test
