// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No call of a norm, softmax, loss, map, rearrangement or pool allocates: neither the first of a kernel nor the second.
#include <cstdint>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tests/kernel/allocations.hpp"

namespace tern::test {

TEST_CASE("allocations are counted") {
  REQUIRE(allocations_are_counted());
  void* volatile kept;  // or the compiler leaves them out
  CHECK(during([&] { kept = ::operator new(1), ::operator delete(kept); }) == 1);
  CHECK(during([&] {
          kept = ::operator new(64, std::align_val_t(64)), ::operator delete(kept, std::align_val_t(64));
        }) == 1);
  CHECK(during([&] { kept = std::malloc(1), std::free(kept); }) == 1);
  CHECK(during([&] { kept = std::calloc(1, 1), std::free(kept); }) == 1);
  CHECK(during([&] { kept = std::realloc(nullptr, 1), std::free(kept); }) == 1);
  CHECK(during([] {}) == 0);
}

TEST_CASE("ops that move elements allocate nothing") {
  std::vector<float> x(2 * 12 * 5 * 7, 1), y(4 * x.size());
  const auto last = [](std::vector<float>& v, index_t c, index_t height, index_t width) {
    return view<float, dims<4>, layout_channels_last>(unchecked, v.data(), dims<4>(2, c, height, width));
  };
  const auto check_both = [&]<class Op>(std::type_identity<Op>, index_t c, index_t height, index_t width) {
    const auto check_under = [&](auto k) {
      check_allocations([&] { k(last(x, 12, 5, 7), last(y, c, height, width)); });
      check_allocations([&] { k.backward_data(last(y, c, height, width), last(x, 12, 5, 7), accumulate); });
    };
    check_under(kernel<Op, reference>{});
    check_under(kernel<Op, simd<>>{});
  };
  check_both(std::type_identity<reorder<>>{}, 12, 5, 7);
  check_both(std::type_identity<channel_shuffle<channel_shuffle_config{.groups = 3}>>{}, 12, 5, 7);
  check_both(std::type_identity<depth_to_space2d<space_to_depth2d_config{}>>{}, 3, 10, 14);
  check_both(std::type_identity<upsample2d<upsample2d_config{.mode = interpolation::linear}>>{}, 12, 10, 14);
  check_both(std::type_identity<pad2d<pad2d_config{.pad = {1, 2}, .pad_end = 0, .mode = border::reflect}>>{}, 12, 6, 9);
}

/// Every call of norms, softmax, losses and elementwise ops; `state` are no or one leading arguments.
template <class Policy, class... State>
void check_norm_calls(State&... state) {
  std::vector<float> a(3 * 70 * 21 * 30), b(a.size()), p(70), dp(140), s(6), t(6);
  using shape = extents<3, 70, 21, 30>;
  const view<float, shape, layout_channels_last> x(unchecked, a.data(), shape()), y(b, shape());
  const view scale(unchecked, p.data(), dims<1>(70)), dscale(unchecked, dp.data(), dims<1>(70)),
      dshift(unchecked, dp.data() + 70, dims<1>(70));
  const view mean(unchecked, s.data(), dims<2>(3, 2)), rstd(unchecked, t.data(), dims<2>(3, 2));
  const view rows(unchecked, a.data(), dims<2>(3 * 21 * 30, 70)),
      results(unchecked, b.data(), dims<2>(3 * 21 * 30, 70));
  const kernel<group_norm<norm_config{.groups = 2}>, Policy> group;
  const kernel<layer_norm<>, Policy> layer;
  const kernel<elementwise<elementwise_config{.bias = true, .act = activation::silu}>, Policy> map;
  CAPTURE(Policy::name, sizeof...(State));
  check_allocations([&] { group(state..., x, scale, scale, y, mean, rstd); });
  check_allocations([&] { group.backward_data(state..., x, x, scale, mean, rstd, y); });
  check_allocations([&] { group.backward_weights(state..., x, x, mean, rstd, dscale, dshift); });
  check_allocations([&] { layer(state..., rows, scale, scale, results); });
  check_allocations([&] { map(state..., x, scale, y); });
  check_allocations([&] { map.backward_data(state..., x, x, y); });
  const kernel<softmax<>, Policy> soft;
  check_allocations([&] { soft(state..., rows, results); });
  check_allocations([&] { soft.backward_data(state..., rows, rows, results); });
  std::vector<float> l(3 * 21 * 30 + 1);
  std::vector<std::int32_t> t32(l.size());
  const view classes(unchecked, t32.data(), dims<1>(3 * 21 * 30));
  const view losses(unchecked, l.data(), dims<1>(3 * 21 * 30)), total(unchecked, l.data() + 3 * 21 * 30, dims<1>(1));
  const kernel<cross_entropy<>, Policy> entropy;
  check_allocations([&] { entropy(state..., rows, classes, losses, total, label_smoothing{}); });
  check_allocations([&] { entropy.backward_data(state..., rows, classes, results); });
  const kernel<normal_sample<>, Policy> sample;
  check_allocations([&] { sample(state..., x, x, y, random_site{.seed = 1}); });
  const kernel<dropout<>, Policy> drop;
  check_allocations([&] { drop(state..., x, y, drop_rate{0.1}, random_site{.seed = 1}); });
  const kernel<coupling<>, Policy> couple;
  check_allocations([&] { couple(state..., x, y, y); });
  check_allocations([&] { couple.inverse(state..., y, x, y); });
  check_allocations([&] { couple.to_stream(state..., x, y); });
  check_allocations([&] { couple.from_stream(state..., y, y); });
  const kernel<adam<>, Policy> optimizer;
  check_allocations(
      [&] { optimizer(state..., p, dscale, dshift, view(unchecked, l.data(), dims<1>(70)), adam_step{}); });
  const kernel<sum_of_squares<>, Policy> squares;
  check_allocations([&] { squares(state..., p, total); });
  const kernel<gaussian_nll<>, Policy> likelihood;
  check_allocations([&] { likelihood(state..., rows, rows, rows, losses, total); });
  check_allocations([&] { likelihood.backward_data(state..., x, x, x, y, x); });
}

TEST_CASE("calls of norms, softmax, losses and elementwise ops allocate nothing") {
  team two({.threads = 2, .oversubscribe = true});
  check_norm_calls<reference>();
  check_norm_calls<simd<>>();
  check_norm_calls<simd<>>(two);
  tile_machine cores(2, 0, two);
  check_norm_calls<mimd<>>(cores);
}

/// Every call of a pool; `state` are no or one leading arguments.
template <class Policy, class... State>
void check_pool_calls(State&... state) {
  using image = extents<3, 70, 21, 30>;
  using result = extents<3, 70, 11, 15>;
  std::vector<float> a(3 * 70 * 21 * 30), b(a.size()), c(3 * 70 * 11 * 15);
  std::vector<std::int32_t> d(c.size());
  const view<float, image, layout_channels_last> x(a, image()), dx(b, image());
  const view<float, result, layout_channels_last> y(c, result());
  const view<std::int32_t, result, layout_channels_last> at(d, result());
  constexpr pool2d_config cfg{.kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}};
  const kernel<max_pool2d<cfg>, Policy> most;
  const kernel<avg_pool2d<cfg>, Policy> mean;
  CAPTURE(Policy::name, sizeof...(State));
  check_allocations([&] { most(state..., x, y); });
  check_allocations([&] { most(state..., x, y, at); });
  check_allocations([&] { most.backward_data(state..., y, at, dx); });
  check_allocations([&] { most.backward_data(state..., y, x, dx, accumulate); });
  check_allocations([&] { mean(state..., x, y); });
  check_allocations([&] { mean.backward_data(state..., y, dx); });
}

TEST_CASE("calls of pools allocate nothing") {
  team two({.threads = 2, .oversubscribe = true});
  check_pool_calls<reference>();
  check_pool_calls<simd<>>();
  check_pool_calls<simd<>>(two);
}

}  // namespace tern::test
