// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The stack that calls of all other families take. TERN_TEST_ELEMENT: the element type.
#include <cstdint>
#include <vector>

#include "tern/simd.hpp"
#include "tests/kernel/stack.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

using element = TERN_TEST_ELEMENT;

template <class Policy, class T>
void moves() {
  const kernel<max_pool2d<pool2d_config{.kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}}, T>, Policy> most;
  const kernel<upsample2d<upsample2d_config{.factor = {2, 2}, .mode = interpolation::linear}, T>, Policy> up;
  auto x = random_vector<T>(2 * 70 * 20 * 20, 1);
  std::vector<T> y(2 * 70 * 10 * 10), z(x.size()), large(4 * x.size());
  const auto vx = last(x, 2, 70, 20, 20), vy = last(y, 2, 70, 10, 10), vz = last(z, 2, 70, 20, 20),
             vl = last(large, 2, 70, 40, 40);
  on_small_stack([&] { most(vx, vy); });
  on_small_stack([&] { most.backward_data(vy, vx, vz); });
  on_small_stack([&] { up(vx, vl); });
  on_small_stack([&] { up.backward_data(vl, vz); });
}

template <class Policy, class T>
void norms() {
  const kernel<group_norm<norm_config{.groups = 2}, T>, Policy> group;
  const kernel<layer_norm<norm_config{}, T>, Policy> layer;
  const kernel<elementwise<elementwise_config{.bias = true, .act = activation::mish}, T>, Policy> map;
  const index_t channels = 9000;  // groups of more than a block
  auto x = random_vector<T>(2 * channels * 4, 1), scale = random_vector<T>(channels, 2);
  std::vector<T> y(x.size()), mean(4), rstd(4), dscale(scale.size()), dshift(scale.size());
  const auto vx = last(x, 2, channels, 2, 2), vy = last(y, 2, channels, 2, 2);
  const view of_groups(unchecked, mean.data(), dims<2>(2, 2)), deviations(unchecked, rstd.data(), dims<2>(2, 2));
  const view rows(unchecked, x.data(), dims<2>(8, channels)), results(unchecked, y.data(), dims<2>(8, channels));
  on_small_stack([&] { group(vx, scale, scale, vy, of_groups, deviations); });
  on_small_stack([&] { group.backward_data(vx, vx, scale, of_groups, deviations, vy); });
  on_small_stack([&] { group.backward_weights(vx, vx, of_groups, deviations, dscale, dshift); });
  on_small_stack([&] { layer(rows, scale, scale, results); });
  on_small_stack([&] { map(vx, scale, vy); });
  const kernel<softmax<softmax_config{.axis = 0}, T>, Policy> columns;
  on_small_stack([&] { columns(rows, results); });
  on_small_stack([&] { columns.backward_data(rows, results, rows); });
  const kernel<cross_entropy<loss_config{}, T>, Policy> entropy;
  std::vector<std::int32_t> classes(static_cast<std::size_t>(2 * 4));
  std::vector<T> losses(classes.size()), total(1);
  const view targets(unchecked, classes.data(), dims<3>(2, 2, 2));
  const view of_rows(unchecked, losses.data(), dims<3>(2, 2, 2));
  const view of_all(unchecked, total.data(), dims<1>(1));
  on_small_stack([&] { entropy(vx, targets, of_rows, of_all); });
  on_small_stack([&] { entropy.backward_data(vx, targets, vy); });
  const kernel<bce_with_logits<loss_config{}, T>, Policy> bce;
  on_small_stack([&] { bce(vx, vy, view(unchecked, losses.data(), dims<1>(2)), of_all); });
}

template <class Policy, class T>
void all() {
  moves<Policy, T>();
  norms<Policy, T>();
}

TEST_CASE("pools, moves, norms, rows and losses take less than 192 KiB beside their tensors", "[memory]") {
  each_policy<element>([]<class Policy>() { all<Policy, element>(); });
}

}  // namespace
}  // namespace tern::test
