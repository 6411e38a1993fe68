// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program with a missing sync: one tile passes on what another copy of the same exchange brings. The thread sanitizer
// must report it; if it does not, it would not see a race in the kernels either.
#include "tern/exec/mimd/tile_machine.hpp"
#include "tests/mimd/threads.hpp"

int main() {
  using namespace tern;
  test::threads team{3};
  tile_machine m(3, 4096, team);
  m.start(device{}, 3);
  m.stream("seeded", [](index_t t, copier& copies) {
    if (t == 0) return;
    copies({.from = location::on(t - 1, 0, 0, 4), .to = location::on(t, 0, 0, 4), .columns = 512, .element_bytes = 4});
  });
}
