// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sums over places and norms under simt in the host contexts: both orders of threads, and a thread per lane.
#include <utility>
#include <vector>

#include "tern/exec/simt/thread_block.hpp"
#include "tern/simt.hpp"
#include "tests/kernel/norm_parity.hpp"
#include "tests/kernel/place_sums_parity.hpp"
#include "tests/simt/small_tiles.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

/// Orders that take turns from call to call.
const auto next_state = [](const auto&) {
  static bool turn = false;
  turn = !turn;
  return simt_host{.reverse = turn};
};

TEMPLATE_TEST_CASE("sums over places under simt give the bits of the reference", "[map][simt]", float, double) {
  sum_parity<simt<>, TestType>(next_state, thinned(40));
}

TEMPLATE_TEST_CASE("norms under simt give the bits of the reference", "[norm][simt]", float, double) {
  norm_parity<simt<>, TestType>(next_state, thinned(40), 20000);
}

// Fewer threads than a short row has elements, and rows in pieces.
TEST_CASE("reductions under simt with small blocks give the bits of the reference", "[map][simt]") {
  using policy = simt<devices::h200, numerics::exact, small_tiles>;
  sum_parity<policy, float>(next_state, thinned(20));
  norm_parity<policy, float>(next_state, thinned(20), 20000);
}

TEST_CASE("reductions with a thread per lane give the bits of the reference", "[map][simt]") {
  using policy = simt<devices::h200, numerics::exact, small_tiles>;
  const auto threads = [](const auto&) { return simt_threads{}; };
  sum_parity<policy, float>(threads, 1);
  norm_parity<policy, float>(threads, 1, 500);
}

TEST_CASE("pools and rearrangements under simt are called like others", "[pool][rearrange][simt]") {
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
    kernel<reorder<>, Policy>{}(state..., last(x, 2, 9, 7, 6), view(turned.data(), dims<4>(2, 9, 7, 6)));
    for (const std::vector<float>& v : {dx, up, down, turned}) y.insert(y.end(), v.begin(), v.end());
    return y;
  };
  const std::vector<float> wanted = results(std::type_identity<reference>{});
  CHECK(same_bits(wanted, results(std::type_identity<simt<>>{})));
  CHECK(same_bits(wanted, results(std::type_identity<simt<>>{}, simt_host{.reverse = true})));
}

}  // namespace tern::test
