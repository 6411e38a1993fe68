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

TEMPLATE_TEST_CASE("pools between layouts store past the caches where whole vectors begin lines", "[pool][simd]", float,
                   double) {
  using T = TestType;
  using order = typename picture<T>::order;
  pool_shape s{.batch = 2, .channels = 96};
  s.axis[1] = {.in = 7, .out = 3, .kernel = 2, .stride = 2}, s.axis[2] = {.in = 9, .out = 4, .kernel = 2, .stride = 2};
  picture<T> x(2, 96, inputs(s), order::blocks_across), y(2, 96, results(s)), wanted(2, 96, results(s));
  picture<T> dy(2, 96, results(s), order::blocks_across), dx(2, 96, inputs(s)), wanted_dx(2, 96, inputs(s));
  numbers next(Catch::rngSeed(), numbers::kind::uniform);
  x.fill(next), dy.fill(next);
  pool_values<T, pool_kind::max, false> most{.shape = s, .x = x};
  pool_gradient<T, pool_shares::all, false> shares{.shape = s, .dy = dy};
  most.y = wanted.get(), pooling_kernel<reference>::run({}, most);
  most.y = y.get(), pooling_kernel<far_policy>::run(serial{}, most);
  CHECK(equal_bits(y, wanted));
  shares.dx = wanted_dx.get(), pooling_kernel<reference>::run({}, shares);
  shares.dx = dx.get(), pooling_kernel<far_policy>::run(serial{}, shares);
  CHECK(equal_bits(dx, wanted_dx));
}

}  // namespace tern::test
