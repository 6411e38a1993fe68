// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A call of every kind, for what looks at the kernels that calls make: check_device_code.py and layouts.cu. Nothing
// runs them. Most make two kernels, with large and with small tiles.
#pragma once

#include "tern/simt.cuh"

namespace tern::test {

using policy = simt<>;

template <class T, class State>
void matmuls(const State& to, T* p, int n) {
  const view a(unchecked, p, extents{n, n});
  const view c(unchecked, p + n * n, extents{n, n});
  const view bias(unchecked, p, extents{n});
  const kernel<matmul<matmul_config{}, T>, policy> plain;
  plain(to, a, a, c);
  plain(to, a, a, c, accumulate);
  plain.backward_weights(to, a, a, c, bias);
  const kernel<matmul<matmul_config{.bias = true, .residual = true, .act = activation::relu}, T>, policy> full;
  full(to, a, a, bias, a, c, accumulate);
}

/// Every kernel of convolutions. Calls make kernels with large tiles, with small ones, and for groups of few channels.
template <class T, class State>
void convolutions(const State& to, T* p, int n) {
  const view<T, dims<4>, layout_channels_last> x(unchecked, p, dims<4>(n, 8, n, n));
  const view<T, dims<4>, layout_channel_blocked<4>> y(unchecked, p, dims<4>(n, 8, n, n));
  const view w(unchecked, p, extents<3, 3, 8, 8>{});
  const view bias(unchecked, p, extents<8>{});
  const kernel<conv2d<conv2d_config{.in = 8, .out = 8, .kernel = {3, 3}, .pad = {1, 1}}, T>, policy> plain;
  plain(to, x, w, y);
  plain.backward_data(to, x, w, y);
  plain.backward_weights(to, x, y, w, bias);
  plain.backward_weights(to, x, y, w, bias, accumulate);
  const kernel<conv2d<conv2d_config{.in = 8,
                                    .out = 8,
                                    .kernel = {3, 3},
                                    .pad = {1, 1},
                                    .scale = true,
                                    .bias = true,
                                    .residual = true,
                                    .act = activation::relu},
                      T>,
               policy>
      full;
  full(to, x, w, bias, bias, y, y, accumulate);
}

/// Norms.
template <class T, class State>
void norms(const State& to, T* p, int n) {
  const view<T, dims<2>> rows(unchecked, p, dims<2>(n, 768));
  const view<T, dims<1>> column(unchecked, p, dims<1>(n)), parameters(unchecked, p, dims<1>(768)),
      channels(unchecked, p, dims<1>(32));
  const kernel<layer_norm<norm_config{.residual = true, .act = activation::relu}, T>, policy> layer;
  layer(to, rows, parameters, parameters, rows, rows, column, column);
  layer.backward_data(to, rows, rows, parameters, column, column, rows);
  layer.backward_weights(to, rows, rows, column, column, parameters, parameters);
  const kernel<rms_norm<norm_config{.shift = false}, T>, policy> rms;
  rms(to, rows, parameters, rows, column);
  rms.backward_data(to, rows, rows, parameters, column, rows, accumulate);
  rms.backward_weights(to, rows, rows, column, parameters, accumulate);
  const view<T, dims<4>, layout_channels_last> image(unchecked, p, dims<4>(n, 32, n, n));
  const kernel<group_norm<norm_config{.groups = 8}, T>, policy> group;
  group(to, image, channels, channels, image);
  const kernel<batch_norm<norm_config{}, T>, policy> batch;
  batch(to, image, channels, channels, image, channels, channels, channels);
  batch.backward_data(to, image, image, channels, channels, channels, image);
  batch.backward_weights(to, image, image, channels, channels, channels, channels);
  batch.statistics(to, image, channels, channels, values_seen{n});
  batch.apply(to, image, channels, channels, channels, channels, image);
  batch.backward_part(to, image, image, channels, channels, channels, channels, channels, image, values_seen{n});
}
/// Softmax.
template <class T, class State>
void softmaxes(const State& to, T* p, const std::uint8_t* bytes, int n) {
  const view<T, dims<4>> scores(unchecked, p, dims<4>(n, 12, n, n));
  const view<const std::uint8_t, dims<4>> keys(unchecked, bytes, dims<4>(n, 1, 1, n));
  const kernel<softmax<softmax_config{.mask = true}, T>, policy> attention;
  attention(to, scores, keys, scores);
  attention.backward_data(to, scores, scores, scores);
  const kernel<softmax<softmax_config{.axis = 1, .log = true}, T>, policy> logarithms;
  logarithms(to, scores, scores);
  logarithms.backward_data(to, scores, scores, scores, accumulate);
}
/// Dropout.
template <class T, class State>
void dropouts(const State& to, T* p, int n) {
  const view<T, dims<4>, layout_channels_last> image(unchecked, p, dims<4>(n, 21, n, n));
  const kernel<dropout<dropout_config{}, T>, policy> drop;
  constexpr drop_rate rate{0.1};
  constexpr random_site site{.seed = 1};
  drop(to, image, image, rate, site);
  drop.backward_data(to, image, image, rate, site, accumulate);
  kernel<stochastic_depth<T>, policy>{}(to, image, image, rate, site);
  const kernel<normal_sample<T>, policy> sample;
  sample(to, image, image, image, site);
  sample.backward_data(to, image, image, image,
                       view<T, dims<4>, layout_channels_last>(unchecked, p + n, dims<4>(n, 21, n, n)), site);
}

/// Optimisers.
template <class T, class State>
void optimizers(const State& to, T* p, int n) {
  const view<T, dims<1>> gradient(unchecked, p, dims<1>(n)), parameters(unchecked, p + n, dims<1>(n)),
      mean(unchecked, p + 2 * n, dims<1>(n)), square(unchecked, p + 3 * n, dims<1>(n)),
      squares(unchecked, p + 4 * n, dims<1>(1));
  kernel<sum_of_squares<T>, policy>{}(to, gradient, squares);
  kernel<adam<adam_config{.decoupled = true, .clip = true}, T>, policy>{}(to, gradient, parameters, mean, square,
                                                                          squares, adam_step{.most = 1, .step = n});
  kernel<sgd<sgd_config{.momentum = true, .nesterov = true}, T>, policy>{}(to, gradient, parameters, mean);
  kernel<rmsprop<rmsprop_config{.momentum = true}, T>, policy>{}(to, gradient, parameters, square, mean);
}

/// Losses.
template <class T, class State>
void losses(const State& to, T* p, const std::int32_t* classes, int n) {
  const view<T, dims<4>, layout_channels_last> image(unchecked, p, dims<4>(n, 21, n, n)),
      other(unchecked, p + n, dims<4>(n, 21, n, n)), more(unchecked, p + 2 * n, dims<4>(n, 21, n, n));
  const view<T, dims<1>> of_samples(unchecked, p, dims<1>(n)), total(unchecked, p, dims<1>(1));
  const view<T, dims<3>> of_rows(unchecked, p, dims<3>(n, n, n));
  const view<const std::int32_t, dims<3>> target(unchecked, classes, dims<3>(n, n, n));
  const kernel<cross_entropy<loss_config{}, T>, policy> entropy;
  entropy(to, image, target, of_rows, total, label_smoothing{0.1});
  entropy.backward_data(to, image, target, other);
  const kernel<gaussian_nll<loss_config{}, T>, policy> nll;
  nll(to, image, other, more, of_samples, total);
  nll.backward_data(to, image, other, more, image, other);
  const kernel<bce_with_logits<loss_config{}, T>, policy> bce;
  bce(to, image, other, of_samples, total);
  bce.backward_data(to, image, other, more);
  const kernel<multivariate_gaussian_nll<3, loss_config{}, T>, policy> gaussian;
  const view<T, dims<2>> numbers(unchecked, p, dims<2>(n, 9)), wanted(unchecked, p + n, dims<2>(n, 3));
  gaussian(to, numbers, wanted, of_samples, total);
  gaussian.backward_data(to, numbers, wanted, view<T, dims<2>>(unchecked, p + 2 * n, dims<2>(n, 9)));
}

/// Pools, maps, and ops that move elements.
template <class T, class State>
void pools_maps_and_moves(const State& to, T* p, std::int32_t* where, int n) {
  const auto image = [&](int size) {
    return view<T, dims<4>, layout_channels_last>(unchecked, p, dims<4>(n, 8, size, size));
  };
  const view<std::int32_t, dims<4>, layout_channels_last> indices(unchecked, where, dims<4>(n, 8, n, n));
  const kernel<max_pool2d<pool2d_config{.kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}}, T>, policy> largest;
  largest(to, image(2 * n), image(n));
  largest(to, image(2 * n), image(n), indices);
  largest.backward_data(to, image(n), indices, image(2 * n));
  largest.backward_data(to, image(n), image(2 * n), image(2 * n), accumulate);
  const kernel<avg_pool2d<pool2d_config{.kernel = {2, 2}}, T>, policy> mean;
  mean(to, image(2 * n), image(n));
  mean.backward_data(to, image(n), image(2 * n));

  const kernel<reorder<T>, policy> turn;
  turn(to, image(n), view(unchecked, p, dims<4>(n, 8, n, n)));
  const kernel<upsample2d<upsample2d_config{.factor = {2, 2}}, T>, policy> repeat;
  repeat(to, image(n), image(2 * n));
  repeat.backward_data(to, image(2 * n), image(n));
  const kernel<upsample2d<upsample2d_config{.factor = {2, 2}, .mode = interpolation::linear}, T>, policy> between;
  between(to, image(n), image(2 * n));
  between.backward_data(to, image(2 * n), image(n), accumulate);
  const kernel<pad2d<pad2d_config{.pad = {1, 1}, .pad_end = {1, 1}, .mode = border::reflect}, T>, policy> around;
  around(to, image(n), image(n + 2));
  around.backward_data(to, image(n + 2), image(n));
  const kernel<channel_shuffle<channel_shuffle_config{.groups = 2}, T>, policy> shuffle;
  shuffle(to, image(n), image(n));
  shuffle.backward_data(to, image(n), image(n), accumulate);
  const view<T, dims<4>, layout_channels_last> deep(unchecked, p, dims<4>(n, 32, n, n));
  const kernel<space_to_depth2d<space_to_depth2d_config{.block = {2, 2}}, T>, policy> deepen;
  deepen(to, image(2 * n), deep);
  deepen.backward_data(to, deep, image(2 * n));

  const view<T, dims<1>> per_channel(unchecked, p, dims<1>(8));
  const kernel<
      elementwise<elementwise_config{.scale = true, .bias = true, .residual = true, .act = activation::relu}, T>,
      policy>
      full;
  full(to, image(n), per_channel, per_channel, image(n), image(n));
  full.backward_data(to, image(n), image(n), per_channel, image(n), accumulate);
  const kernel<elementwise<elementwise_config{.act = activation::mish}, T>, policy> mish;
  mish(to, image(n), image(n));
  mish.backward_data(to, image(n), image(n), image(n));
  const kernel<elementwise<elementwise_config{.act = activation::gelu_tanh}, T>, policy> gelu;
  gelu(to, image(n), image(n));
  gelu.backward_data(to, image(n), image(n), image(n));
  const kernel<elementwise<elementwise_config{.scale = true, .act = activation::prelu}, T>, policy> prelu;
  prelu(to, image(n), per_channel, per_channel, image(n));
  prelu.backward_data(to, image(n), image(n), per_channel, per_channel, image(n));
  prelu.backward_scale(to, image(n), image(n), per_channel, image(n), per_channel);
  prelu.backward_slope(to, image(n), image(n), per_channel, accumulate);
}

/// Couplings over every kind of stream.
template <class T, class State>
void couplings(const State& to, T* p, int n) {
  const auto image = [&](int at) {
    return view<T, dims<4>, layout_channels_last>(unchecked, p + at * n, dims<4>(n, 8, n, n));
  };
  const auto all = [&](const auto& k) {
    k(to, image(0), image(1), image(0));
    k.inverse(to, image(0), image(1), image(0));
    k.to_stream(to, image(0), image(1));
    k.from_stream(to, image(1), image(1));
  };
  all(kernel<coupling<coupling_config{}, T>, policy>());
  all(kernel<coupling<coupling_config{.stream = stream_kind::grid}, T>, policy>());
  all(kernel<coupling<coupling_config{.stream = stream_kind::drifting}, T>, policy>());
}

template <class T, class State>
void every_call(const State& to, T* p, std::int32_t* integers, const std::uint8_t* bytes, int n) {
  matmuls(to, p, n);
  convolutions(to, p, n);
  norms(to, p, n);
  softmaxes(to, p, bytes, n);
  dropouts(to, p, n);
  optimizers(to, p, n);
  losses(to, p, integers, n);
  pools_maps_and_moves(to, p, integers, n);
  couplings(to, p, n);
}

}  // namespace tern::test
