// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large graphs compile within the default limits of compilers: about a million steps of constant evaluation for clang.
#include <limits>
#include <vector>

#include "tern/blocks.hpp"
#include "tern/reference.hpp"
#include "tests/support/catch.hpp"

namespace tern::test {
namespace {

struct deep {
  static constexpr int layers = 400;
  static constexpr value define(graph& g, value x) {
    for (int i = 0; i < layers; ++i) {
      const auto names = g.inside("block", i);
      const value y = g.conv2d("conv", {.out = 2, .bias = true, .act = activation::relu}, x);
      x = i % 2 == 1 ? g.add("sum", x, y) : y;
    }
    return g.flatten(x);
  }
};

TEST_CASE("400 layers") {
  using net = network<deep, sample_shape::image(2, 3, 1), reference>;
  using fit = trainer<net, squared_error<loss_config{.reduce = reduction::sum}>, sgd<>>;
  STATIC_REQUIRE(net::parameters == deep::layers * (2 * 2 + 2));
  const float weight = 0.25f;
  std::vector<float> memory(static_cast<std::size_t>(fit::elements(1)), -1.0f), target(6, 1.0f);
  const std::vector<float> x(6, 0.5f);
  auto state = net::make_state();
  fit t(memory);
  for (float& p : t.parameters()) p = weight;

  // All channels have the same values, so a layer maps one number.
  double y = 0.5, loss = 0;
  for (int i = 0; i < deep::layers; ++i) {
    const double layer = weight * (2 * y + 1);
    y = i % 2 == 1 ? y + layer : layer;
  }
  for (int i = 0; i < 6; ++i) loss += (y - 1) * (y - 1);
  // A layer rounds four times; its relative error is at most doubled by the square.
  const double bound = 2 * 4 * deep::layers * static_cast<double>(std::numeric_limits<float>::epsilon());
  CHECK(t.step(state, x, target, {.rate = 1e-6}).loss == Approx(loss).epsilon(bound));

  // A sum keeps one tensor beside those of the two convolutions.
  STATIC_REQUIRE(net::infer_memory.per_sample <= 3 * detail::in_memory_grains(6));
  std::vector<float> results(6), room(static_cast<std::size_t>(net::infer_memory.elements(1)));
  for (float& p : t.parameters()) p = weight;
  net::infer(state, t.parameters(), {}, x, results, room);
  for (const float r : results) CHECK(r == Approx(y).epsilon(bound));
}

/// The results of all layers live until the last one is computed.
template <int Layers>
struct all_alive {
  static constexpr value define(graph& g, value x) {
    value results[Layers];
    for (int i = 0; i < Layers; ++i) {
      const auto names = g.inside("block", i);
      results[i] = x = g.conv2d("conv", {.out = 2}, x);
    }
    for (int i = 0; i < Layers; ++i) {
      const auto names = g.inside("maximum", i);
      x = g.maximum("of", x, results[i]);
    }
    return g.flatten(x);
  }
};
template <int Layers>
using all_alive_net = network<all_alive<Layers>, sample_shape::image(2, 3, 1), reference>;

TEST_CASE("the plan of many living tensors") {
  constexpr index_t tensor = detail::in_memory_grains(6);
  STATIC_REQUIRE(all_alive_net<25>::infer_memory.per_sample <= 26 * tensor);
  STATIC_REQUIRE(all_alive_net<150>::infer_memory.per_sample <= 151 * tensor);
}

}  // namespace
}  // namespace tern::test
