// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools and ops that move elements are called under simt as elsewhere.
#include <cstdint>
#include <type_traits>
#include <vector>

#include "tern/reference.hpp"
#include "tern/simt.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

TEST_CASE("pools and rearrangements under simt have the calls of other models", "[pool][rearrange][simt]") {
  using pool = max_pool2d<pool2d_config{.kernel = {3, 2}, .stride = {2, 2}, .pad = {1, 0}}>;
  using larger = upsample2d<upsample2d_config{.factor = {2, 3}, .mode = interpolation::linear}>;
  auto x = random_vector(2 * 9 * 7 * 6, 1);
  const auto results = [&]<class Policy>(std::type_identity<Policy>, const auto&... state) {
    std::vector<float> y(2 * 9 * 4 * 3, 7), dx(x.size(), 7), up(6 * x.size(), 7), down(x.size(), 7),
        turned(x.size(), 7);
    std::vector<std::int32_t> where(y.size());
    const kernel<pool, Policy> k;
    k(state..., last(x, 2, 9, 7, 6), last(y, 2, 9, 4, 3), last(where, 2, 9, 4, 3));
    k.backward_data(state..., last(y, 2, 9, 4, 3), last(where, 2, 9, 4, 3), last(dx, 2, 9, 7, 6));
    const kernel<larger, Policy> u;
    u(state..., last(x, 2, 9, 7, 6), last(up, 2, 9, 14, 18));
    u.backward_data(state..., last(up, 2, 9, 14, 18), last(down, 2, 9, 7, 6));
    kernel<reorder<>, Policy>{}(state..., last(x, 2, 9, 7, 6), view(turned, dims<4>(2, 9, 7, 6)));
    for (const std::vector<float>& v : {dx, up, down, turned}) y.insert(y.end(), v.begin(), v.end());
    return y;
  };
  const std::vector<float> wanted = results(std::type_identity<reference>{});
  CHECK(same_bits(wanted, results(std::type_identity<simt<>>{})));
  CHECK(same_bits(wanted, results(std::type_identity<simt<>>{}, simt_host{.reverse = true})));
}

}  // namespace tern::test
