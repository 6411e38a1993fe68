// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the allocations of a call.
#pragma once

#include "tests/support/allocations.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {

/// Allocations of one call.
template <class F>
long during(F call) {
  const long before = allocations();
  call();
  return allocations() - before;
}

/// Neither the first nor the second call allocates.
template <class F>
void check_allocations(F call) {
  const long first = during(call), second = during(call);
  CHECK(first == 0);
  CHECK(second == 0);
}

}  // namespace tern::test
