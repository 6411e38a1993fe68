// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms of more samples than a cache holds, and sums whose chunks several cores share: the bits do not change.
#include <array>
#include <tuple>
#include <type_traits>

#include "tern/reference.hpp"
#include "tern/simd.hpp"
#include "tests/kernel/all_in_memory.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

/// All gradients at a time, of more samples than a cache holds, against one pass after the other.
template <class Norm, index_t Groups, index_t... Extents>
void compare_gradients(index_t batch, index_t channels) {
  constexpr bool centred = Norm::kind != norm_kind::rms;
  const index_t size = batch * channels * (Extents * ... * 1);
  const auto x = random_vector<float>(size, 1), dy = random_vector<float>(size, 2);
  const auto scale = random_vector<float>(channels, 3);
  auto mean = random_vector<float>(batch * Groups, 4), rstd = random_vector<float>(batch * Groups, 5);
  const auto image = [&](auto& v) {
    using shape = extents<dynamic, dynamic, Extents...>;
    if constexpr (sizeof...(Extents) == 0)
      return view(v.data(), shape(batch, channels));
    else
      return view<std::remove_reference_t<decltype(v[0])>, shape, layout_channels_last>(v.data(),
                                                                                        shape(batch, channels));
  };
  const auto column = [](auto& v) { return view(v.data(), extents(static_cast<index_t>(v.size()))); };
  const auto statistic = [&](auto& v) { return view(v.data(), extents(batch, Groups)); };
  const kernel<Norm, simd<>> k;
  struct gradients {
    std::vector<float> dx, dscale, dshift;
    bool operator==(const gradients& o) const {
      return same_bits(dx, o.dx) && same_bits(dscale, o.dscale) && same_bits(dshift, o.dshift);
    }
  };
  const gradients begin{random_vector<float>(size, 6), random_vector<float>(channels, 7),
                        random_vector<float>(channels, 8)};
  const auto with_statistics = [&](auto f) {
    if constexpr (centred)
      f(statistic(mean), statistic(rstd));
    else
      f(statistic(rstd));
  };
  const auto compare = [&](auto of_all, auto of_data, auto of_weights) {
    gradients together = begin, apart = begin;
    serial here;
    with_statistics([&](const auto&... s) {
      std::apply(
          [&](auto... option) {
            k.backward(here, image(dy), image(x), column(scale), s..., image(together.dx), column(together.dscale),
                       column(together.dshift), option...);
          },
          of_all);
      std::apply(
          [&](auto... option) {
            k.backward_data(here, image(dy), image(x), column(scale), s..., image(apart.dx), option...);
          },
          of_data);
      std::apply(
          [&](auto... option) {
            k.backward_weights(here, image(dy), image(x), s..., column(apart.dscale), column(apart.dshift), option...);
          },
          of_weights);
    });
    CHECK(together == apart);
  };
  compare(std::tuple(), std::tuple(), std::tuple());
  compare(std::tuple(accumulate), std::tuple(accumulate), std::tuple(accumulate));
  compare(std::tuple(accumulate_weights), std::tuple(), std::tuple(accumulate));
}

TEST_CASE("all gradients of norms at a time are those of one pass after the other", "[norm][simd]") {
  compare_gradients<layer_norm<>, 1>(301, 768);
  compare_gradients<layer_norm<>, 1>(1, 5);
  compare_gradients<layer_norm<>, 1>(0, 5);
  compare_gradients<rms_norm<norm_config{.shift = true}>, 1>(129, 1500);
  compare_gradients<group_norm<norm_config{.groups = 4}>, 4, 9, 8>(67, 36);
  compare_gradients<group_norm<norm_config{.groups = 2}>, 2, 64, 70>(5, 32);
  compare_gradients<layer_norm<>, 1, 300, 300>(3, 17);
}

/// Tasks that share the chunks of sums, one after the other, the last one first.
template <class Norm, index_t... Extents>
void compare_shared_sums(index_t batch, index_t channels, index_t groups, index_t tasks) {
  INFO(batch << " samples of " << channels << " channels, " << tasks << " tasks");
  constexpr bool of_batch = Norm::kind == norm_kind::batch;
  using shape = extents<dynamic, dynamic, Extents...>;
  const index_t size = batch * channels * (Extents * ...);
  auto x = random_vector<float>(size, 1), dy = random_vector<float>(size, 2), scale = random_vector<float>(channels, 3),
       shift = random_vector<float>(channels, 4);
  const auto image = [&](std::vector<float>& v) {
    return view<float, shape, layout_channels_last>(v.data(), shape(batch, channels));
  };
  const auto column = [](std::vector<float>& v) { return view(v.data(), extents(static_cast<index_t>(v.size()))); };
  const auto statistic = [&](std::vector<float>& v) {
    if constexpr (of_batch)
      return view(v.data(), extents(channels));
    else
      return view(v.data(), extents(batch, groups));
  };
  const auto results = [&](auto& state, auto k) {
    const auto of_groups = static_cast<std::size_t>(of_batch ? channels : batch * groups);
    std::vector<float> mean(of_groups), rstd(of_groups), y(x.size()), dx(x.size()), dscale = scale, dshift = shift;
    k(state, image(x), column(scale), column(shift), image(y), statistic(mean), statistic(rstd));
    k.backward_data(state, image(dy), image(x), column(scale), statistic(mean), statistic(rstd), image(dx));
    k.backward_weights(state, image(dy), image(x), statistic(mean), statistic(rstd), column(dscale), column(dshift),
                       accumulate);
    return std::array{mean, rstd, y, dx, dscale, dshift};
  };
  impl::no_state nothing;
  with_concurrency backwards{[](index_t n, task_ref f) {
                               for (index_t i = n; i-- > 0;) f(i);
                             },
                             tasks};
  const auto wanted = results(nothing, kernel<Norm, reference>()), got = results(backwards, kernel<Norm, far_policy>());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    INFO("result " << i);
    CHECK(same_bits(wanted[i], got[i]));
  }
}

TEST_CASE("sums whose chunks are shared by cores have the bits of the reference", "[norm][simd]") {
  compare_shared_sums<batch_norm<>, 23, 25>(20, 530, 1, 3);
  compare_shared_sums<batch_norm<>, 1, 9>(65, 131, 1, 8);
  compare_shared_sums<batch_norm<>, 56, 56>(2, 64, 1, 2);
  compare_shared_sums<batch_norm<>, 40, 40>(25, 200, 1, 40);
  compare_shared_sums<group_norm<norm_config{.groups = 2}>, 50, 50>(1, 1040, 2, 2);
  compare_shared_sums<group_norm<norm_config{.groups = 5}>, 40, 41>(2, 75, 5, 2);
  compare_shared_sums<instance_norm<>, 64, 33>(3, 67, 67, 2);
}

}  // namespace tern::test
