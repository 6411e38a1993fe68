// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Packed inference under relaxed numerics lends its kernels a workspace: the bits of the kernels with one.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "tern/exec/cpu/team.hpp"
#include "tern/simd.hpp"
#include "tests/block/executors.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {
namespace {

constexpr int convolutions = 3;
constexpr index_t channels = 16, side = 12;
constexpr conv2d_config three{
    .in = channels, .out = channels, .kernel = {3, 3}, .pad = {1, 1}, .bias = true, .act = activation::relu};
using repeated = repeat<convolutions, conv2d<three>>;
struct graph_of_three {
  static constexpr value define(graph& g, value x) {
    for (const char* name : {"a", "b", "c"}) x = g.conv2d(name, three, x);
    return x;
  }
};
constexpr sample_shape image = sample_shape::image(channels, side, side);

/// The same with kernels.
template <class Policy>
std::vector<float> by_kernels(const std::vector<float>& parameters, std::vector<float> x, index_t batch) {
  const kernel<conv2d<three>, Policy> k;
  constexpr index_t weights = 9 * channels * channels;
  std::vector<char> lent(static_cast<std::size_t>(k.workspace_bytes({.batch = batch, .extent = {side, side}})));
  REQUIRE(!lent.empty());
  const auto pixels = [&](std::vector<float>& v) {
    return view(unchecked, v.data(), layout_channels_last::mapping(dims<4>(batch, channels, side, side)));
  };
  std::vector<float> y(x.size());
  for (int i = 0; i < convolutions; ++i) {
    const float* const w = &parameters[static_cast<std::size_t>(i * (weights + channels))];
    const auto packed = k.pack(view(unchecked, w, extents<3, 3, channels, channels>()));
    k(pixels(x), packed, view(unchecked, w + weights, extents<channels>()), pixels(y),
      workspace{lent.data(), std::ssize(lent)});
    x = y;
  }
  return y;
}
double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, std::fabs(double(a[i]) - double(b[i])));
  return d;
}

template <class Net, class State>
std::vector<float> inferred(const passes<Net>& known, State&& state, index_t elements) {
  std::vector<float> packed = poisoned<float>(Net::packed), memory = poisoned<float>(elements),
                     y = poisoned<float>(known.batch * Net::out.size());
  const auto ready = Net::pack(known.parameters, known.statistics, packed);
  Net::infer(state, ready, known.x, y, memory);
  return y;
}

template <class Block, class Policy, class Exact>
void check() {
  using net = network<Block, image, Policy>;
  using exact = network<Block, image, Exact>;
  STATIC_REQUIRE(net::packed_infer_elements(1) > exact::packed_infer_elements(1));
  team one(1), team_of_three(3);
  for (const index_t batch : {1, 2, 7, 16}) {
    INFO(batch << " samples");
    passes<net> known(batch);
    const std::vector<float> expected = by_kernels<Policy>(known.parameters, known.x, batch);
    const index_t least = net::packed_infer_elements(batch);
    CHECK(same_bits(inferred(known, serial(), least), expected));
    CHECK(same_bits(inferred(known, one, least), expected));
    CHECK(same_bits(inferred(known, team_of_three, net::packed_infer_elements(batch, 3)), expected));
    CHECK(same_bits(inferred(known, backwards{5}, net::packed_infer_elements(batch, 5)), expected));

    // Exact bits differ by the tolerance of the algorithm. So do those of threads that have no workspace.
    passes<exact> exactly(batch);
    exactly.infer();
    CHECK(!same_bits(exactly.y, expected));
    const auto near = [&](const std::vector<float>& y) {
      const auto [low, high] = std::minmax_element(exactly.y.begin(), exactly.y.end());
      return largest_difference(exactly.y, y) < 1e-4 * double(*high - *low);
    };
    CHECK(near(expected));
    CHECK(near(inferred(known, backwards{300}, least)));
    CHECK(near(inferred(known, team_of_three, least)));

    auto memory = poisoned<float>(least - 1), packed = poisoned<float>(net::packed);
    const auto ready = net::pack(known.parameters, known.statistics, packed);
    CHECK_THROWS_WITH(net::infer(one, ready, known.x, known.y = poisoned<float>(batch * net::out.size()), memory),
                      "network: memory has " + std::to_string(least - 1) + " elements: a batch of " +
                          std::to_string(batch) + " needs " + std::to_string(least));
  }
}

TEST_CASE("relaxed packed inference gives the bits of kernels with a workspace") {
  check<repeated, simd<devices::native, numerics::relaxed>, simd<>>();
  check<graph_of_three, simd<devices::native, numerics::relaxed>, simd<>>();
  check<graph_of_three, simd<small_cache, numerics::relaxed>, simd<>>();
}

TEST_CASE("networks without such convolutions, and exact ones, need no workspace") {
  using rows = sequence<flatten, matmul<matmul_config{.n = 5}>>;
  using relaxed = network<rows, image, simd<devices::native, numerics::relaxed>>;
  STATIC_REQUIRE(relaxed::packed_infer_elements(1, 4) == relaxed::infer_memory.elements(1));
  using exact = network<repeated, image, simd<>>;
  STATIC_REQUIRE(exact::packed_infer_elements(1, 4) == exact::infer_memory.elements(1));
  using training = network<repeated, image, reference>;
  STATIC_REQUIRE(training::packed_infer_elements(1, 4) == training::infer_memory.elements(1));
}

}  // namespace
}  // namespace tern::test
