// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Maps under simd.
#include "tern/simd.hpp"

#include "tests/kernel/all_in_memory.hpp"
#include "tests/kernel/map_parity.hpp"
#include "tests/support/some_executor.hpp"
#include "tests/support/thinning.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("maps under simd give the bits of the reference", "[map][simd]", float, double) {
  map_parity<simd<>, TestType>(some_executor, thinned(150));
}

TEMPLATE_TEST_CASE("maps that store past the caches give the bits of the reference", "[map][simd]", float, double) {
  map_parity<far_policy, TestType>(some_executor, thinned(100));
}

TEMPLATE_TEST_CASE("sums over places under simd give the bits of the reference", "[map][simd]", float, double) {
  sum_parity<simd<>, TestType>(some_executor, thinned(150));
}

TEST_CASE("a plan of an elementwise op says how many tasks an executor gets", "[map][simd]") {
  float* const none = nullptr;
  using relu = kernel<elementwise<elementwise_config{.act = activation::relu}>, simd<>>;
  CHECK(relu::plan(view(none, extents<8, 64, 56, 56>{}), pass::forward, 4).units == 4);
  CHECK(relu::plan(view(none, extents<8, 64, 56, 56>{})).units == 1);
  CHECK(relu::plan(view(none, extents<1, 2, 3, 4>{}), pass::forward, 4).units == 1);
}

TEST_CASE("tasks write the results of large tensors, in place too", "[map][simd]") {
  constexpr elementwise_config cfg{.bias = true, .act = activation::relu};
  const kernel<elementwise<cfg>, simd<>> k;
  const index_t n = 3, c = 67, rows = 41, columns = 43;
  auto x = random_vector(n * c * rows * columns, 1), bias = random_vector(c, 2);
  std::vector<float> wanted(x.size()), got(x.size());
  const auto shape = dims<4>(n, c, rows, columns);
  const view<const float, dims<4>, layout_channels_last> vx(x.data(), shape);
  kernel<elementwise<cfg>, reference>{}(vx, bias, view<float, dims<4>, layout_channels_last>(wanted.data(), shape));
  with_concurrency five{[](index_t tasks, task_ref f) {
                          for (index_t i = 0; i < tasks; ++i) f(i);
                        },
                        5};
  k(five, vx, bias, view<float, dims<4>, layout_channels_last>(got.data(), shape));
  CHECK(same_bits(wanted, got));
  k(five, vx, bias, view<float, dims<4>, layout_channels_last>(x.data(), shape));
  CHECK(same_bits(wanted, x));
}

}  // namespace tern::test
