// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Small networks that have the layers of those in examples/, for checks of whole training steps.
#pragma once

#include <limits>
#include <ratio>
#include <span>
#include <vector>

#include "tern/blocks.hpp"

namespace tern::test::inline TERN_ISA {

/// The shape of their samples.
inline constexpr sample_shape picture_shape = sample_shape::image(2, 6, 5);

/// Its batch may be cut at grains.
template <class T>
using separable_net_in = sequence<
    conv2d<conv2d_config{.in = 2, .out = 8, .kernel = {3, 3}, .pad = {1, 1}, .bias = true, .act = activation::relu}, T>,
    max_pool2d<pool2d_config{.kernel = {2, 2}}, T>, to_stream<>,
    repeat<2, reversible<sequence<layer_norm<norm_config{}, T>,
                                  conv2d<conv2d_config{.in = 4, .out = 4, .kernel = {3, 3}, .pad = {1, 1}}, T>>,
                         elementwise<elementwise_config{.scale = true, .bias = true, .act = activation::gelu}, T>>>,
    space_to_depth2d<space_to_depth2d_config{.block = {3, 1}}, T>,
    checkpoint<stored_coupling<conv2d<conv2d_config{.in = 12, .out = 14, .act = activation::tanh}, T>, skip,
                               pad_channels<2, 0>>>,
    from_stream,
    checkpoint<residual<conv2d<conv2d_config{.in = 28, .out = 28, .bias = true, .act = activation::silu}, T>>>,
    drop<30, dropout<dropout_config{}, T>>, dense<elementwise<elementwise_config{.act = activation::prelu}, T>>,
    flatten, matmul<matmul_config{.n = 7, .bias = true}, T>>;
using separable_net = separable_net_in<float>;

/// Its samples depend on each other.
template <class T>
using coupled_net_in =
    sequence<conv2d<conv2d_config{.in = 2, .out = 4, .kernel = {3, 3}}, T>,
             batch_norm<norm_config{.act = activation::relu}, T>,
             residual<sequence<conv2d<conv2d_config{.in = 4, .out = 4}, T>, batch_norm<norm_config{}, T>>>,
             global_avg_pool2d<T>, flatten, matmul<matmul_config{.n = 7, .bias = true}, T>>;
using coupled_net = coupled_net_in<float>;

/// It draws weights, for all samples of a step, and latent variables. Its batch may be cut at grains.
using stochastic_net =
    sequence<bayesian<conv2d<conv2d_config{.in = 2, .out = 4, .kernel = {3, 3}, .bias = true, .act = activation::relu}>,
                      std::ratio<1, 500>>,
             flatten, matmul<matmul_config{.n = 12, .bias = true}>, checkpoint<normal_latent<std::ratio<1, 20>>>,
             bayesian<matmul<matmul_config{.n = 9}>, std::ratio<1, 500>>>;

/// As examples/braggnn. Its batch may be cut at grains.
using attention_net = sequence<
    conv2d<conv2d_config{.in = 2, .out = 6, .kernel = {3, 3}, .bias = true}>,
    residual<sequence<non_local<conv2d<conv2d_config{.in = 6, .out = 4, .bias = true}>,
                                conv2d<conv2d_config{.in = 6, .out = 4}>, conv2d<conv2d_config{.in = 6, .out = 4}>>,
                      conv2d<conv2d_config{.in = 4, .out = 6, .bias = true}>>>,
    elementwise<elementwise_config{.act = activation::leaky_relu}>, flatten,
    matmul<matmul_config{.n = 7, .bias = true, .act = activation::leaky_relu}>>;

/// As examples/galaxy_vae. Its samples depend on each other.
using slopes = per_element<elementwise<elementwise_config{.act = activation::prelu}>>;
using autoencoder = sequence<
    batch_norm<>,
    conv2d<conv2d_config{
        .in = 2, .out = 4, .kernel = {3, 3}, .stride = {2, 2}, .rule = padding::same_tf, .bias = true}>,
    slopes, flatten, matmul<matmul_config{.n = 6, .bias = true}>, normal_latent<std::ratio<1, 100>>,
    matmul<matmul_config{.n = 24, .bias = true}>, slopes, reshape<sample_shape::image(4, 3, 2)>,
    conv_transpose2d<conv_transpose2d_config{
        .in = 4, .out = 4, .kernel = {3, 3}, .stride = {2, 2}, .crop_end = {1, 1}, .bias = true}>,
    slopes,
    conv2d<conv2d_config{
        .in = 4, .out = 2, .kernel = {3, 3}, .rule = padding::same_tf, .bias = true, .act = activation::sigmoid}>>;

/// The loss of a network.
template <class Block>
struct loss_of {
  using type = cross_entropy<loss_config{.reduce = reduction::sum},
                             typename network<Block, picture_shape, reference>::value_type>;
};
template <>
struct loss_of<stochastic_net> {
  using type = multivariate_gaussian_nll<3, loss_config{.reduce = reduction::sum}>;
};
template <>
struct loss_of<autoencoder> {
  using type = squared_error<loss_config{.reduce = reduction::sum}>;
};

/// Samples of a batch: more than a grain, and not a multiple of one.
inline constexpr index_t pictures = 70;

/// Trains for two steps. Calls take(what, numbers) for all results of the start, the steps and inference after them;
/// memory begins as NaN. Returns true if losses are numbers and the cut keeps bits.
/// \tparam Block  one of the above
/// \param x       pictures
template <class Block, class Policy, class State, class T, class Take>
bool train(State& state, const std::vector<T>& x, index_t most_at_a_time, Take take) {
  using net = network<Block, picture_shape, Policy>;
  using training = trainer<net, typename loss_of<Block>::type, adam<adam_config{.decoupled = true, .clip = true}, T>>;
  using target = typename training::target_type;
  std::vector<target> targets(static_cast<std::size_t>(pictures * training::targets));
  for (std::size_t i = 0; i < targets.size(); ++i) targets[i] = static_cast<target>(i % 7);
  const auto unknown = [](index_t count) {
    return std::vector<T>(static_cast<std::size_t>(count), std::numeric_limits<T>::quiet_NaN());
  };

  std::vector<T> memory = unknown(training::elements(most_at_a_time));
  training t{std::span<T>(memory)};
  t.initialize(11);
  take("start", t.kept());
  bool right = true;
  std::vector<T> losses;
  for (int i = 0; i < 2; ++i) {
    const step_report r = t.step(state, x, targets, {.rate = 0.01, .decay = 0.1, .most = 0.5}, most_at_a_time);
    right = right && r.finite && r.batch.keeps_bits;
    losses.push_back(static_cast<T>(r.loss));
    losses.push_back(static_cast<T>(r.penalty));
  }
  take("losses", std::span<const T>(losses));
  take("gradient", t.gradient());
  take("steps", t.kept());
  std::vector<T> scratch = unknown(net::infer_memory.elements(pictures)), y = unknown(pictures * net::out.size());
  net::infer(state, t.parameters(), t.statistics(), x, y, scratch);
  take("infer", y);
  net::sample(state, t.parameters(), t.statistics(), x, y, scratch, {.seed = 3, .step = 1});
  take("sample", y);
  return right;
}

}  // namespace tern::test::inline TERN_ISA
