// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training, written once for every policy. Compiled once for each instruction set (see CMakeLists.txt), so everything
// but make_trainers has internal linkage.
#include <memory>

#include "bench/support/peak.hpp"
#include "network.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"

namespace digits {
namespace {

using tern::activation, tern::extents, tern::view;

// The ops of the network. The number of rows is dynamic, because the last batch has fewer.
struct first_layer : tern::matmul<tern::matmul_config{.n = hidden, .k = pixels}> {};
struct norm : tern::batch_norm<tern::norm_config{.act = activation::relu}> {};
struct known_norm : tern::elementwise<tern::elementwise_config{.scale = true, .bias = true, .act = activation::relu}> {
};
struct rectifier : tern::elementwise<tern::elementwise_config{.act = activation::relu}> {};
struct drop : tern::dropout<> {};
struct second_layer : tern::matmul<tern::matmul_config{.n = classes, .k = hidden, .bias = true}> {};
struct entropy : tern::cross_entropy<> {};
struct optimizer : tern::adamw<> {};
struct average : tern::moving_average<> {};

/// A row-major matrix.
template <index_t Columns, class T>
auto matrix(T* data, index_t rows) {
  return view(data, rows * Columns, extents<tern::dynamic, Columns>(rows, Columns));
}

/// A network whose kernels run under Policy.
template <class Policy>
class learner {
 public:
  explicit learner(network& net) : net_(net) {}

  /// One update of the weights from up to `batch` images.
  void learn(const float* images, const std::int32_t* labels, index_t rows, double rate) {
    const tern::random_site site{.seed = 1, .step = static_cast<std::uint32_t>(++step_)};
    const auto x = matrix<pixels>(images, rows);
    const auto sums = matrix<hidden>(sums_, rows), h = matrix<hidden>(h_, rows), dh = matrix<hidden>(dh_, rows),
               kept = matrix<hidden>(kept_, rows);
    const auto y = matrix<classes>(y_, rows), dy = matrix<classes>(dy_, rows);
    const view classes_of(labels, rows, extents<tern::dynamic>(rows));
    const view losses(tern::unchecked, losses_, extents<tern::dynamic>(rows));
    weights& w = net_.learned;

    measured(rows * pixels * hidden, [&] { first_(on_first_, x, w1(w), sums); });
    norm_(on_norm_, sums, gain(w), lift(w), h, numbers(mean_), numbers(rstd_), numbers(variance_));
    drop_(on_drop_, h, kept, tern::drop_rate{0.2}, site);
    measured(rows * hidden * classes, [&] { second_(on_second_, kept, w2(w), b2(w), y); });
    entropy_(on_entropy_, y, classes_of, losses, view(&loss_, 1, extents<1>()), tern::label_smoothing{0.1});

    entropy_.backward_data(on_entropy_, y, classes_of, dy, tern::label_smoothing{0.1});
    measured(2 * rows * hidden * classes, [&] {
      second_.backward_weights(on_second_, kept, dy, w2(gradient_), b2(gradient_));
      second_.backward_data(on_second_, dy, w2(w), dh);
    });
    drop_.backward_data(on_drop_, dh, dh, tern::drop_rate{0.2}, site);
    rectify_.backward_data(on_rectify_, dh, h, dh);
    norm_.backward(on_norm_, dh, sums, gain(w), numbers(mean_), numbers(rstd_), dh, gain(gradient_), lift(gradient_));
    measured(rows * pixels * hidden, [&] { first_.backward_weights(on_first_, x, dh, w1(gradient_)); });

    optimize_(on_optimize_, all(gradient_), all(w), all(first_moment_), all(second_moment_),
              tern::adam_step{.rate = rate, .decay = 0.01, .step = step_});
    average_(on_average_, numbers(mean_), numbers(net_.mean), tern::moving_average_step{.decay = 0.9});
    average_(on_average_, numbers(variance_), numbers(net_.variance), tern::moving_average_step{.decay = 0.9});
  }

  /// The logits of up to `batch` images: the norm has its running averages.
  void infer(const float* images, index_t rows, float* logits) {
    weights& w = net_.learned;
    const auto h = matrix<hidden>(h_, rows);
    norm_.fold(numbers(net_.mean), numbers(net_.variance), gain(w), lift(w), numbers(mean_), numbers(variance_));
    measured(rows * pixels * hidden, [&] { first_(on_first_, matrix<pixels>(images, rows), w1(w), h); });
    known_(on_known_, h, numbers(mean_), numbers(variance_), h);
    measured(rows * hidden * classes, [&] { second_(on_second_, h, w2(w), b2(w), matrix<classes>(logits, rows)); });
  }

  demo::cost spent() const { return spent_; }

 private:
  static auto w1(weights& w) { return view(tern::unchecked, w.of + weights::w1, extents<pixels, hidden>()); }
  static auto gain(weights& w) { return view(tern::unchecked, w.of + weights::gain, extents<hidden>()); }
  static auto lift(weights& w) { return view(tern::unchecked, w.of + weights::lift, extents<hidden>()); }
  static auto w2(weights& w) { return view(tern::unchecked, w.of + weights::w2, extents<hidden, classes>()); }
  static auto b2(weights& w) { return view(tern::unchecked, w.of + weights::b2, extents<classes>()); }
  static auto all(weights& w) { return view(w.of, extents<weights::size>()); }
  static auto numbers(float (&x)[hidden]) { return view(x, extents<hidden>()); }

  /// Calls f, and adds its time and its multiply-adds to the cost.
  template <class F>
  void measured(index_t multiply_adds, F f) {
    const double start = demo::now();
    f();
    spent_.seconds += demo::now() - start;
    spent_.flops += 2.0 * static_cast<double>(multiply_adds);
  }

  static constexpr tern::kernel<first_layer, Policy> first_{};
  static constexpr tern::kernel<norm, Policy> norm_{};
  static constexpr tern::kernel<known_norm, Policy> known_{};
  static constexpr tern::kernel<rectifier, Policy> rectify_{};
  static constexpr tern::kernel<drop, Policy> drop_{};
  static constexpr tern::kernel<second_layer, Policy> second_{};
  static constexpr tern::kernel<entropy, Policy> entropy_{};
  static constexpr tern::kernel<optimizer, Policy> optimize_{};
  static constexpr tern::kernel<average, Policy> average_{};

  network& net_;
  weights gradient_{}, first_moment_{}, second_moment_{};
  index_t step_ = 0;
  float sums_[batch * hidden], h_[batch * hidden], kept_[batch * hidden], dh_[batch * hidden];
  float y_[batch * classes], dy_[batch * classes], losses_[batch], loss_;
  float mean_[hidden], rstd_[hidden], variance_[hidden];
  demo::cost spent_;

  // Run-time state of the kernels: tile machines under mimd, empty under the other policies.
  decltype(first_.make_state()) on_first_ = first_.make_state({.m = batch});
  decltype(second_.make_state()) on_second_ = second_.make_state({.m = batch});
  decltype(norm_.make_state(matrix<hidden>(h_, batch))) on_norm_ = norm_.make_state(matrix<hidden>(h_, batch));
  decltype(known_.make_state(matrix<hidden>(h_, batch))) on_known_ = known_.make_state(matrix<hidden>(h_, batch));
  decltype(rectify_.make_state(matrix<hidden>(h_, batch))) on_rectify_ = rectify_.make_state(matrix<hidden>(h_, batch));
  decltype(drop_.make_state(matrix<hidden>(h_, batch))) on_drop_ = drop_.make_state(matrix<hidden>(h_, batch));
  decltype(entropy_.make_state(matrix<classes>(y_, batch))) on_entropy_ =
      entropy_.make_state(matrix<classes>(y_, batch));
  decltype(optimize_.make_state(weights::size)) on_optimize_ = optimize_.make_state(weights::size);
  decltype(average_.make_state(hidden)) on_average_ = average_.make_state(hidden);
};

template <class Policy>
demo::cost train(network& net, const samples& examples, int epochs, const samples& held_out, float* logits) {
  const auto l = std::make_unique<learner<Policy>>(net);
  const auto batches = [](const samples& s, auto f) {
    for (index_t i = 0; i < s.count; i += batch) f(i, s.count - i < batch ? s.count - i : batch);
  };
  double rate = 0.003;
  for (int e = 0; e < epochs; ++e, rate *= 0.85)
    batches(examples,
            [&](index_t i, index_t rows) { l->learn(examples.images + i * pixels, examples.labels + i, rows, rate); });
  batches(held_out,
          [&](index_t i, index_t rows) { l->infer(held_out.images + i * pixels, rows, logits + i * classes); });
  return l->spent();
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

}  // namespace digits
