// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training, written once for every policy. Compiled once for each instruction set (see CMakeLists.txt), so everything
// but make_trainers has internal linkage.
#include <algorithm>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "bench/support/peak.hpp"
#include "network.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"

namespace galaxies {
namespace {

using tern::activation, tern::conv2d, tern::conv2d_config, tern::conv_transpose2d, tern::conv_transpose2d_config;

constexpr conv2d_config encoder(index_t in, index_t out) {
  return {.in = in, .out = out, .kernel = 3, .stride = 2, .pad = 1, .bias = true, .act = activation::relu};
}
constexpr conv_transpose2d_config decoder(index_t in, index_t out) {
  return {.in = in, .out = out, .kernel = 4, .stride = 2, .crop = 1, .bias = true, .act = activation::relu};
}

/// A layer: its op, the extents of its input and result, and the place of its weights in a network.
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
    layer<conv2d<conv2d_config{.in = 64, .out = 16, .kernel = 1, .bias = true}>, 8, 8, &network::w4, &network::b4>,
    layer<conv_transpose2d<decoder(16, 48)>, 8, 16, &network::w5, &network::b5>,
    layer<conv_transpose2d<decoder(48, 24)>, 16, 32, &network::w6, &network::b6>,
    layer<conv_transpose2d<decoder(24, 16)>, 32, 64, &network::w7, &network::b7>,
    layer<conv2d<conv2d_config{.in = 16, .out = 3, .kernel = 3, .pad = 1, .bias = true}>, 64, 64, &network::w8,
          &network::b8>>;
constexpr std::size_t depth = std::tuple_size_v<layers>;
template <std::size_t I>
using layer_at = std::tuple_element_t<I, layers>;

/// A batch of images with channels last.
template <index_t Channels, index_t Extent, class T>
auto images(T* data) {
  using shape = tern::extents<batch, Channels, Extent, Extent>;
  return tern::view<T, shape, tern::layout_channels_last>(tern::unchecked, data, shape());
}

struct rectifier : tern::elementwise<tern::elementwise_config{.act = activation::relu}> {};
struct squares : tern::squared_error<> {};
struct optimizer : tern::adam<> {};

/// A network whose kernels run under Policy.
template <class Policy>
class learner {
 public:
  explicit learner(network& net) : net_(net) {}

  /// One update of the weights; returns the mean squared error before it.
  double learn(const float* stamps, double rate) {
    infer(stamps);
    const auto y = last_images(result<depth - 1>()), dy = last_images(dy_.data());
    const auto wanted = last_images(stamps);
    loss_(on_loss_, y, wanted, losses_, total_);
    loss_.backward_data(on_loss_, y, wanted, dy);
    backward<depth - 1>(stamps);
    optimize_(on_optimize_, all_of(gradient_), all_of(net_), first_moment_, second_moment_,
              tern::adam_step{.rate = rate, .step = ++step_});
    return static_cast<double>(total_[0]);
  }

  /// The reconstruction of a batch of stamps.
  const float* infer(const float* stamps) {
    forward<0>(stamps);
    return result<depth - 1>();
  }

  demo::cost spent() const { return spent_; }

 private:
  template <std::size_t I>
  using kernel = tern::kernel<typename layer_at<I>::op, Policy>;
  static constexpr tern::kernel<rectifier, Policy> rectify_{};
  static constexpr tern::kernel<squares, Policy> loss_{};
  static constexpr tern::kernel<optimizer, Policy> optimize_{};

  template <class T>
  static auto last_images(T* data) {
    return images<colours, side>(data);
  }
  static auto all_of(network& net) { return tern::view(tern::unchecked, net.w1, tern::extents<weights>()); }

  /// The memory and run-time state of a layer: its results, and a tile machine under mimd.
  template <std::size_t I>
  struct running {
    using l = layer_at<I>;
    std::vector<float> results = std::vector<float>(static_cast<std::size_t>(batch * l::outputs));
    decltype(kernel<I>::make_state({})) state = kernel<I>::make_state({.batch = batch, .extent = {l::from, l::from}});
    decltype(rectify_.make_state(images<l::out, l::to>(std::declval<float*>()))) rectifier_state =
        rectify_.make_state(images<l::out, l::to>(results.data()));
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

  /// Computes from dy_, the gradient of layer I's result, that of its weights and that of its input.
  template <std::size_t I>
  void backward(const float* stamps) {
    using l = layer_at<I>;
    if constexpr (l::op::config.act == activation::relu) {
      const auto of_result = images<l::out, l::to>(dy_.data());
      rectify_.backward_data(std::get<I>(running_).rectifier_state, of_result, images<l::out, l::to>(result<I>()),
                             of_result);
    }
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

  /// Calls f, which does `multiply_adds` per stamp, and adds its time and its operations to the cost.
  template <class F>
  void measured(index_t multiply_adds, F f) {
    const double start = demo::now();
    f();
    spent_.seconds += demo::now() - start;
    spent_.flops += 2.0 * static_cast<double>(batch * multiply_adds);
  }

  network& net_;
  network gradient_{};
  std::vector<float> first_moment_ = std::vector<float>(weights), second_moment_ = first_moment_;
  std::vector<float> losses_ = std::vector<float>(batch), total_ = std::vector<float>(1);
  index_t step_ = 0;
  std::vector<float> dy_ = std::vector<float>(batch * 64 * 64 * 16), dx_ = dy_;
  decltype(all(std::make_index_sequence<depth>())) running_;
  decltype(loss_.make_state(last_images(std::declval<float*>()))) on_loss_ = loss_.make_state(last_images(dy_.data()));
  decltype(optimize_.make_state(weights)) on_optimize_ = optimize_.make_state(weights);
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
    const double done = static_cast<double>(u) / static_cast<double>(l.updates);
    const double error = student.learn(stamps.data(), l.rate * (1 - 0.9 * done));
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
