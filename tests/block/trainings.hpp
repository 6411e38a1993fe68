// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small networks that have the layers of those in examples/, and what two training steps make of them: the same bits
// under every policy, and for every cut of the batch at grains where samples do not see each other.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "tern/blocks.hpp"
#include "tests/block/passes.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/vectors.hpp"

namespace tern::test {

inline constexpr sample_shape picture = sample_shape::image(2, 6, 5);

/// Samples of it may be cut at grains.
using alone =
    sequence<conv2d<{.in = 2, .out = 8, .kernel = {3, 3}, .pad = {1, 1}, .bias = true, .act = activation::relu}>,
             max_pool2d<{.kernel = {2, 2}}>, to_stream<>,
             repeat<2, reversible<sequence<layer_norm<>, conv2d<{.in = 4, .out = 4, .kernel = {3, 3}, .pad = {1, 1}}>>,
                                  elementwise<{.scale = true, .bias = true, .act = activation::gelu}>>>,
             from_stream<>, checkpoint<residual<conv2d<{.in = 8, .out = 8, .bias = true, .act = activation::silu}>>>,
             drop<30>, dense<elementwise<{.act = activation::prelu}>>, flatten, matmul<{.n = 7, .bias = true}>>;

/// Samples of it see each other.
using together = sequence<conv2d<{.in = 2, .out = 4, .kernel = {3, 3}}>, batch_norm<{.act = activation::relu}>,
                          residual<sequence<conv2d<{.in = 4, .out = 4}>, batch_norm<>>>, global_avg_pool2d<>, flatten,
                          matmul<{.n = 7, .bias = true}>>;

/// It draws: weights, for all samples of a step, and latent variables. Samples of it may be cut at grains.
using uncertain = sequence<
    bayesian<conv2d<{.in = 2, .out = 4, .kernel = {3, 3}, .bias = true, .act = activation::relu}>, std::ratio<1, 500>>,
    flatten, matmul<{.n = 12, .bias = true}>, checkpoint<normal_latent<std::ratio<1, 20>>>,
    bayesian<matmul<{.n = 9}>, std::ratio<1, 500>>>;

/// As examples/braggnn. Samples of it may be cut at grains.
using finder = sequence<conv2d<{.in = 2, .out = 6, .kernel = {3, 3}, .bias = true}>,
                        residual<sequence<non_local<conv2d<{.in = 6, .out = 4, .bias = true}>,
                                                    conv2d<{.in = 6, .out = 4}>, conv2d<{.in = 6, .out = 4}>>,
                                          conv2d<{.in = 4, .out = 6, .bias = true}>>>,
                        elementwise<{.act = activation::leaky_relu}>, flatten,
                        matmul<{.n = 7, .bias = true, .act = activation::leaky_relu}>>;

/// As examples/galaxy_vae. Samples of it see each other.
using slopes = per_element<elementwise<{.act = activation::prelu}>>;
using imaginer = sequence<
    batch_norm<>,
    conv2d<{.in = 2, .out = 4, .kernel = {3, 3}, .stride = {2, 2}, .rule = padding::same_tf, .bias = true}>, slopes,
    flatten, matmul<{.n = 6, .bias = true}>, normal_latent<std::ratio<1, 100>>, matmul<{.n = 24, .bias = true}>, slopes,
    reshape<sample_shape::image(4, 3, 2)>,
    conv_transpose2d<{.in = 4, .out = 4, .kernel = {3, 3}, .stride = {2, 2}, .crop_end = {1, 1}, .bias = true}>, slopes,
    conv2d<{.in = 4, .out = 2, .kernel = {3, 3}, .rule = padding::same_tf, .bias = true, .act = activation::sigmoid}>>;

/// The loss of a network.
template <class Block>
struct loss_of {
  using type = cross_entropy<{.reduce = reduction::sum}>;
};
template <>
struct loss_of<uncertain> {
  using type = multivariate_gaussian_nll<3, {.reduce = reduction::sum}>;
};

template <>
struct loss_of<imaginer> {
  using type = squared_error<{.reduce = reduction::sum}>;
};

inline constexpr index_t pictures = 70;

/// Everything that two steps and an inference leave, in one row.
/// \tparam Block  one of the above
template <class Block, class Policy, class State>
std::vector<float> trained(State& state, index_t most_at_a_time) {
  using net = network<Block, picture, Policy>;
  using trainer_type = trainer<net, typename loss_of<Block>::type, adam<adam_config{.decoupled = true, .clip = true}>>;
  std::mt19937 random(7);
  const auto x = random_vector<float>(pictures * picture.size(), random);
  using target = typename trainer_type::target_type;
  std::vector<target> targets;
  for (index_t i = 0; i < pictures * trainer_type::targets; ++i) targets.push_back(static_cast<target>(i % 7));

  auto memory = poisoned<float>(trainer_type::elements(most_at_a_time));
  trainer_type t{std::span<float>(memory)};
  t.initialize(11);
  std::vector<float> all;
  for (int i = 0; i < 2; ++i) {
    const step_report r = t.step(state, x, targets, {.rate = 0.01, .decay = 0.1, .most = 0.5}, most_at_a_time);
    REQUIRE(r.finite);
    REQUIRE(r.batch.keeps_bits);
    all.push_back(static_cast<float>(r.loss));
    all.push_back(static_cast<float>(r.penalty));
  }
  all.insert(all.end(), t.kept().begin(), t.kept().end());
  all.insert(all.end(), t.gradient().begin(), t.gradient().end());
  auto scratch = poisoned<float>(net::infer_memory.elements(pictures));
  std::vector<float> y(static_cast<std::size_t>(pictures * net::out.size()));
  net::infer(state, t.parameters(), t.statistics(), x, y, scratch);
  all.insert(all.end(), y.begin(), y.end());
  net::sample(state, t.parameters(), t.statistics(), x, y, scratch, {.seed = 3, .step = 1});
  all.insert(all.end(), y.begin(), y.end());
  return all;
}

template <class Block>
const std::vector<float>& expected_training() {
  static const std::vector<float> result = [] {
    auto state = network<Block, picture, reference>::make_state();
    return trained<Block, reference>(state, pictures);
  }();
  return result;
}

/// \param state  gives the run-time state of a training
template <class Policy, class State>
void compare_trainings(State state) {
  {
    auto&& s = state();
    CHECK(same_bits(trained<together, Policy>(s, pictures), expected_training<together>()));
    CHECK(same_bits(trained<imaginer, Policy>(s, pictures), expected_training<imaginer>()));
  }
  for (index_t cut : {pictures, index_t{64}, index_t{32}}) {
    INFO(cut);
    auto&& s = state();
    CHECK(same_bits(trained<alone, Policy>(s, cut), expected_training<alone>()));
    CHECK(same_bits(trained<uncertain, Policy>(s, cut), expected_training<uncertain>()));
    CHECK(same_bits(trained<finder, Policy>(s, cut), expected_training<finder>()));
  }
}

}  // namespace tern::test
