// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Norms whose sums several cores share, chunk by chunk.
#include <array>
#include <vector>

#include "tern/reference.hpp"
#include "tern/simd.hpp"
#include "tests/kernel/all_in_memory.hpp"
#include "tests/support/bits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

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
    return view<float, shape, layout_channels_last>(unchecked, v.data(), shape(batch, channels));
  };
  const auto column = [](std::vector<float>& v) {
    return view(unchecked, v.data(), extents(static_cast<index_t>(v.size())));
  };
  const auto statistic = [&](std::vector<float>& v) {
    if constexpr (of_batch)
      return view(unchecked, v.data(), extents(channels));
    else
      return view(unchecked, v.data(), extents(batch, groups));
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
  const auto wanted = results(nothing, kernel<Norm, reference>()),
             got = results(backwards, kernel<Norm, out_of_cache_policy>());
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
