// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training steps under simd, on one thread and several, against the reference.
#include "tern/simd.hpp"

#include "tern/exec/cpu/team.hpp"
#include "tests/block/trainings.hpp"

namespace tern::test {

TEST_CASE("networks train under simd with the bits of the reference") {
  compare_trainings<simd<>>([] { return serial{}; });
  team three({.threads = 3, .oversubscribe = true});
  compare_trainings<simd<>>([&]() -> team& { return three; });
}

}  // namespace tern::test
