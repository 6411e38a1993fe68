// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools between layouts of tensors that count as out of cache: non-temporal stores change no bit.
#include <vector>

#include "tern/simd.hpp"

#include "tests/kernel/all_in_memory.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("pools between layouts use non-temporal stores if whole vectors begin lines", "[pool][simd]", float,
                   double) {
  using T = TestType;
  constexpr pool2d_config halves{.kernel = {2, 2}};
  using across = layout_channel_blocked<96 / sizeof(T)>;  // whole vectors cross from one block to the next
  const extents<2, 96, 7, 9> large;
  const extents<2, 96, 3, 4> small;
  auto x = random_vector<T>(large.size(), 1), dy = random_vector<T>(small.size(), 2);
  std::vector<T> y(dy.size()), wanted(dy.size()), dx(x.size()), wanted_dx(x.size());
  const view<T, decltype(large), across> vx(x, large);
  const view<T, decltype(small), across> vdy(dy, small);
  kernel<max_pool2d<halves, T>, reference>{}(vx, last(wanted, small));
  kernel<max_pool2d<halves, T>, out_of_cache_policy>{}(vx, last(y, small));
  CHECK(same_bits(y, wanted));
  kernel<avg_pool2d<halves, T>, reference>{}.backward_data(vdy, last(wanted_dx, large));
  kernel<avg_pool2d<halves, T>, out_of_cache_policy>{}.backward_data(vdy, last(dx, large));
  CHECK(same_bits(dx, wanted_dx));
}

}  // namespace tern::test
