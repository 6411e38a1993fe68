// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares a call's use of a machine with its plan.
#pragma once

#include "tern/mimd.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

/// Supersteps are what the plan says; memory, cycles and traffic at most that, as the largest part is planned for all.
template <class Plan>
tile_totals check_usage(const Plan& p, const tile_machine& machine) {
  const tile_totals used = machine.totals();
  CHECK(used.supersteps == p.supersteps);
  CHECK(used.bytes_per_tile <= p.bytes_per_tile);
  CHECK(used.compute_cycles <= p.compute_cycles);
  CHECK(used.sync_cycles == p.sync_cycles);
  CHECK(used.exchange_cycles <= p.exchange_cycles);
  CHECK(used.bytes_exchanged <= p.bytes_moved);
  return used;
}

}  // namespace tern::test
