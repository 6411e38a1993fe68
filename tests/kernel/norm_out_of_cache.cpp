// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All gradients of norms in one call, on more samples than a cache holds.
#include <tuple>
#include <type_traits>

#include "tern/simd.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

/// All gradients in one call, on more samples than a cache holds, against one pass after the other.
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
      return view(unchecked, v.data(), shape(batch, channels));
    else
      return view<std::remove_reference_t<decltype(v[0])>, shape, layout_channels_last>(unchecked, v.data(),
                                                                                        shape(batch, channels));
  };
  const auto column = [](auto& v) { return view(unchecked, v.data(), extents(static_cast<index_t>(v.size()))); };
  const auto statistic = [&](auto& v) { return view(unchecked, v.data(), extents(batch, Groups)); };
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

}  // namespace tern::test
