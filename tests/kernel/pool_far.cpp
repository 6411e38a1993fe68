// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools of tensors that are taken to come from memory: stores past the caches and fetching ahead change no bit, at any
// alignment.
#include "tern/simd.hpp"

#include "tests/kernel/all_in_memory.hpp"
#include "tests/kernel/pool_parity.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("pools of what lies in memory give the bits of the reference", "[pool][simd]", float, double) {
  pool_values_parity<far_policy, TestType>([](const auto&) { return serial{}; }, thinned(300));
  pool_gradient_parity<far_policy, TestType>([](const auto&) { return serial{}; }, thinned(300));
}

}  // namespace tern::test
