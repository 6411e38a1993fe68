// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Learning, written once for every policy. Compiled once for each instruction set (see CMakeLists.txt), so everything
// but make_trainers has internal linkage.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/support/peak.hpp"
#include "network.hpp"
#include "tern/core/math/primitives.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"

namespace galaxies {
namespace {

using tern::activation, tern::conv2d, tern::conv2d_config, tern::conv_transpose2d, tern::conv_transpose2d_config;

constexpr conv2d_config encoder(index_t in, index_t out) {
  return {
      .in = in, .out = out, .kernel = {3, 3}, .stride = {2, 2}, .pad = {1, 1}, .bias = true, .act = activation::relu};
}
constexpr conv_transpose2d_config decoder(index_t in, index_t out) {
  return {
      .in = in, .out = out, .kernel = {4, 4}, .stride = {2, 2}, .crop = {1, 1}, .bias = true, .act = activation::relu};
}

/// A layer: what it computes, the extents of what goes in and comes out, and where its weights are in a network.
template <class Op, index_t From, index_t To, auto Weights, auto Bias>
struct layer {
  using op = Op;
  static constexpr bool transposed = From < To;
  static constexpr index_t from = From, to = To, in = Op::config.in, out = Op::config.out;
  static constexpr index_t kernel = Op::config.kernel[0];
  static constexpr index_t inputs = From * From * in, outputs = To * To * out;  ///< of a stamp
  /// Multiply-adds of a pass for one stamp, borders included.
  static constexpr index_t work = (transposed ? From * From : To * To) * kernel * kernel * in * out;

  static auto weights(auto& net) {
    using shape =
        std::conditional_t<transposed, tern::extents<kernel, kernel, out, in>, tern::extents<kernel, kernel, in, out>>;
    return tern::view(net.*Weights, shape());
  }
  static auto bias(auto& net) { return tern::view(net.*Bias, tern::extents<out>()); }
};

using layers = std::tuple<  //
    layer<conv2d<encoder(3, 16)>, 64, 32, &network::w1, &network::b1>,
    layer<conv2d<encoder(16, 32)>, 32, 16, &network::w2, &network::b2>,
    layer<conv2d<encoder(32, 64)>, 16, 8, &network::w3, &network::b3>,
    layer<conv2d<conv2d_config{.in = 64, .out = 16, .kernel = {1, 1}, .bias = true}>, 8, 8, &network::w4, &network::b4>,
    layer<conv_transpose2d<decoder(16, 48)>, 8, 16, &network::w5, &network::b5>,
    layer<conv_transpose2d<decoder(48, 24)>, 16, 32, &network::w6, &network::b6>,
    layer<conv_transpose2d<decoder(24, 16)>, 32, 64, &network::w7, &network::b7>,
    layer<conv2d<conv2d_config{.in = 16, .out = 3, .kernel = {3, 3}, .pad = {1, 1}, .bias = true}>, 64, 64,
          &network::w8, &network::b8>>;
constexpr std::size_t depth = std::tuple_size_v<layers>;
template <std::size_t I>
using layer_at = std::tuple_element_t<I, layers>;

/// A batch of images of so many channels, the last index.
template <index_t Channels, index_t Extent, class T>
auto images(T* data) {
  using shape = tern::extents<batch, Channels, Extent, Extent>;
  return tern::view<T, shape, tern::layout_channels_last>(data, shape());
}

/// Adam (Kingma and Ba 2015, arXiv 1412.6980). Every product and sum is spelled out, so that no compiler fuses others.
class adam {
 public:
  void update(float* w, const float* gradient, float rate) {
    using tern::math::fma, tern::math::product;
    constexpr float beta1 = 0.9f, beta2 = 0.999f, tiny = 1e-8f;
    power1_ = product(power1_, beta1), power2_ = product(power2_, beta2);
    for (std::size_t i = 0; i < m_.size(); ++i) {
      const float g = gradient[i];
      m_[i] = fma(beta1, m_[i], product(1 - beta1, g));
      v_[i] = fma(beta2, v_[i], product(product(1 - beta2, g), g));
      const float mean = m_[i] / (1 - power1_), root = std::sqrt(v_[i] / (1 - power2_));
      w[i] = fma(-rate, mean / (root + tiny), w[i]);
    }
  }

 private:
  std::vector<float> m_ = std::vector<float>(weights), v_ = m_;
  float power1_ = 1, power2_ = 1;
};

/// A network whose convolutions run under Policy.
template <class Policy>
class learner {
 public:
  explicit learner(network& net) : net_(net) {}

  /// One update of the weights; returns the mean squared error before it.
  double learn(const float* stamps, float rate) {
    const float* y = infer(stamps);
    const index_t size = batch * stamp;
    double error = 0;
    for (index_t i = 0; i < size; ++i) {
      const float difference = y[i] - stamps[i];
      error += static_cast<double>(difference) * static_cast<double>(difference);
      dy_[static_cast<std::size_t>(i)] = tern::math::product(2.0f / static_cast<float>(size), difference);
    }
    backward<depth - 1>(stamps);
    adam_.update(net_.w1, gradient_.w1, rate);
    return error / static_cast<double>(size);
  }

  /// What the network makes of a batch of stamps.
  const float* infer(const float* stamps) {
    forward<0>(stamps);
    return result<depth - 1>();
  }

  demo::cost spent() const { return spent_; }

 private:
  template <std::size_t I>
  using kernel = tern::kernel<typename layer_at<I>::op, Policy>;

  /// What a layer needs: its results, and where it runs: a tile machine under mimd, nothing to speak of elsewhere.
  template <std::size_t I>
  struct running {
    using l = layer_at<I>;
    std::vector<float> results = std::vector<float>(static_cast<std::size_t>(batch * l::outputs));
    decltype(kernel<I>::make_state({})) state = kernel<I>::make_state({.batch = batch, .extent = {l::from, l::from}});
  };
  template <std::size_t... I>
  static std::tuple<running<I>...> all(std::index_sequence<I...>);

  template <std::size_t I>
  float* result() {
    return std::get<I>(running_).results.data();
  }

  template <std::size_t I>
  void forward(const float* x) {
    using l = layer_at<I>;
    const auto from = images<l::in, l::from>(x);
    const auto to = images<l::out, l::to>(result<I>());
    measured(l::work, [&] { kernel<I>{}(std::get<I>(running_).state, from, l::weights(net_), l::bias(net_), to); });
    if constexpr (I + 1 < depth) forward<I + 1>(result<I>());
  }

  /// From dy_, the gradient of layer I's result, to that of its weights, and on to the layer before.
  template <std::size_t I>
  void backward(const float* stamps) {
    using l = layer_at<I>;
    if constexpr (l::op::config.act == activation::relu)
      for (index_t i = 0; i < batch * l::outputs; ++i)
        if (!(result<I>()[i] > 0)) dy_[static_cast<std::size_t>(i)] = 0;
    const float* below = stamps;
    if constexpr (I > 0) below = result<I - 1>();
    const auto x = images<l::in, l::from>(below);
    const auto dy = images<l::out, l::to>(static_cast<const float*>(dy_.data()));
    const auto dx = images<l::in, l::from>(dx_.data());
    measured(l::work, [&] {
      kernel<I>{}.backward_weights(std::get<I>(running_).state, x, dy, l::weights(gradient_), l::bias(gradient_));
    });
    if constexpr (I > 0) {
      measured(l::work, [&] { kernel<I>{}.backward_data(std::get<I>(running_).state, dy, l::weights(net_), dx); });
      std::swap(dx_, dy_);
      backward<I - 1>(stamps);
    }
  }

  /// Calls f, which does so many multiply-adds for a stamp, and adds up what it takes.
  template <class F>
  void measured(index_t multiply_adds, F f) {
    const double start = demo::now();
    f();
    spent_.seconds += demo::now() - start;
    spent_.flops += 2.0 * static_cast<double>(batch * multiply_adds);
  }

  network& net_;
  network gradient_{};
  adam adam_;
  std::vector<float> dy_ = std::vector<float>(batch * 64 * 64 * 16), dx_ = dy_;
  decltype(all(std::make_index_sequence<depth>())) running_;
  demo::cost spent_;
};

template <class Policy>
demo::cost train(network& net, const lesson& l) {
  learner<Policy> student(net);
  std::vector<float> stamps(batch * stamp);
  for (index_t u = 0; u < l.updates; ++u) {
    for (index_t i = 0; i < batch; ++i) {
      const float* from = l.stamps + l.order[u * batch + i] * stamp;
      std::copy(from, from + stamp, stamps.begin() + i * stamp);
    }
    const float done = static_cast<float>(u) / static_cast<float>(l.updates);
    const double error = student.learn(stamps.data(), l.rate * (1 - 0.9f * done));
    if (l.progress) l.progress(u, l.updates, error);
  }
  const float* y = student.infer(l.shown);
  std::copy(y, y + batch * stamp, l.rebuilt);
  return student.spent();
}

}  // namespace

trainers make_trainers(tern::isa_tag::current isa) {
  using namespace tern;
  return {.isa = isa.name,
          .measured_peak = bench::measured_peak,
          .policies = {{"reference", "plain loops", train<reference>},
                       {"simd", devices::native.name, train<simd<>>},
                       {"mimd", "one core as a tile", train<mimd<devices::native_tiles>>},
                       {"mimd", "1472 tiles of an IPU, modelled", train<mimd<devices::gc200>>},
                       {"simt", "blocks of a GPU, in loops", train<simt<>>}}};
}

}  // namespace galaxies
