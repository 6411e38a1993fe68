// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cross-entropies whose targets the host reads: means over the rows that have one, and targets that are no class, which
// are NaN where it does not.
#include <cmath>
#include <cstdint>
#include <vector>

#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

template <class Policy, class... State>
void check(State&... state) {
  constexpr index_t classes = 7;
  for (const index_t n : {1, 3, 64, 501}) {
    const std::vector<float> x = random_vector(n * classes, 1);
    std::vector<float> losses(static_cast<std::size_t>(n)), total(1), sum(1), dx(x.size()), of_sum(x.size());
    std::vector<std::int32_t> target;
    index_t kept = 0;
    for (index_t i = 0; i < n; ++i) {
      target.push_back(i % 3 == 2 ? -1 : static_cast<std::int32_t>(i % classes));
      kept += target.back() >= 0;
    }
    const extents<dynamic, classes> shape(n, classes);
    const kernel<cross_entropy<loss_config{.reduce = reduction::mean_of_kept}>, Policy> k;
    const kernel<cross_entropy<loss_config{.reduce = reduction::sum}>, Policy> all;
    k(state..., view(x, shape), target, losses, total);
    all(state..., view(x, shape), target, losses, sum);
    CHECK(total[0] == sum[0] / static_cast<float>(kept));
    k.backward_data(state..., view(x, shape), target, view(dx, shape));
    all.backward_data(state..., view(x, shape), target, view(of_sum, shape), loss_scale{1 / static_cast<double>(kept)});
    CHECK(same_bits(dx, of_sum));

    // Prepared calls count the targets of every call.
    const auto prepared = k.prepare(state..., view(x, shape), target, losses, total);
    std::vector<std::int32_t> other(target.size(), 0);
    prepared(state..., view(x, shape), other, losses, total);
    all(state..., view(x, shape), other, losses, sum);
    CHECK(total[0] == sum[0] / static_cast<float>(n));
  }
}

TEST_CASE("a mean of kept rows divides by their number", "[loss]") {
  check<reference>();
  check<simd<>>();
  tile_machine cores(3, 0);
  check<mimd<>>(cores);
}

TEST_CASE("a target that is not a class makes its row NaN under simt", "[loss][simt]") {
  const std::vector<float> x{1, 2, 3, 1, 2, 3};
  const std::vector<std::int32_t> target{2, 3};
  std::vector<float> losses(2), total(1), dx(6);
  const kernel<cross_entropy<loss_config{.reduce = reduction::sum}>, simt<>> k;
  simt_host loops;
  k(loops, view(x, extents{2, 3}), target, losses, total);
  CHECK(std::isfinite(losses[0]));
  CHECK(std::isnan(losses[1]));
  k.backward_data(loops, view(x, extents{2, 3}), target, view(dx, extents{2, 3}));
  for (int i = 0; i < 3; ++i) CHECK(std::isfinite(dx[static_cast<std::size_t>(i)]));
  for (int i = 3; i < 6; ++i) CHECK(std::isnan(dx[static_cast<std::size_t>(i)]));
}

}  // namespace
}  // namespace tern::test
