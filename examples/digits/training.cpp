// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Learning, written once for every policy. Compiled once for each instruction set (see CMakeLists.txt), so everything
// but make_trainers has internal linkage.
#include "bench/support/peak.hpp"
#include "network.hpp"
#include "tern/core/math/exp.hpp"
#include "tern/mimd.hpp"
#include "tern/simd.hpp"
#include "tern/simt.hpp"

namespace digits {
namespace {

using tern::activation, tern::extents, tern::matmul, tern::matmul_config, tern::view;

// What the two layers compute. The number of rows is left open: the last batch has fewer.
struct first_layer : matmul<matmul_config{.n = hidden, .k = pixels, .bias = true, .act = activation::relu}> {};
struct second_layer : matmul<matmul_config{.n = classes, .k = hidden, .bias = true}> {};

/// A matrix of so many rows.
template <index_t Columns, class T>
auto matrix(T* data, index_t rows) {
  return view(data, extents<tern::dynamic, Columns>(rows, Columns));
}

/// dy = softmax(y) - (1 for the label, 0 for other classes): the gradient of the cross entropy, for each row.
void softmax_gradient(const float* y, const int* labels, index_t rows, float* dy) {
  for (index_t i = 0; i < rows; ++i, y += classes, dy += classes) {
    float most = y[0], sum = 0;
    for (int j = 1; j < classes; ++j) most = y[j] > most ? y[j] : most;
    for (int j = 0; j < classes; ++j) sum += dy[j] = tern::math::exp(y[j] - most);
    for (int j = 0; j < classes; ++j) dy[j] = dy[j] / sum - (j == labels[i] ? 1.0f : 0.0f);
  }
}

/// dh becomes the gradient before h = relu(...).
void undo_relu(const float* h, float* dh, index_t size) {
  for (index_t i = 0; i < size; ++i) dh[i] = h[i] > 0 ? dh[i] : 0.0f;
}

/// One step of gradient descent.
template <std::size_t Size>
void descend(float (&x)[Size], const float (&gradient)[Size], float rate) {
  for (std::size_t i = 0; i < Size; ++i) x[i] = tern::math::fma(-rate, gradient[i], x[i]);
}

/// A network whose matmuls run under Policy.
template <class Policy>
class learner {
 public:
  explicit learner(network& net) : net_(net) {}

  /// One update of the weights from up to `batch` images.
  void learn(const float* images, const int* labels, index_t rows, float rate) {
    float y[batch * classes], dy[batch * classes];
    infer(images, rows, y);
    softmax_gradient(y, labels, rows, dy);
    backward(images, dy, rows);
    descend(net_.w1, gradient_.w1, rate / static_cast<float>(rows));
    descend(net_.b1, gradient_.b1, rate / static_cast<float>(rows));
    descend(net_.w2, gradient_.w2, rate / static_cast<float>(rows));
    descend(net_.b2, gradient_.b2, rate / static_cast<float>(rows));
  }

  /// The logits of up to `batch` images.
  void infer(const float* images, index_t rows, float* logits) {
    const auto x = matrix<pixels>(images, rows);
    const auto h = matrix<hidden>(h_, rows);
    const auto y = matrix<classes>(logits, rows);
    measured(rows * (pixels * hidden + hidden * classes), [&] {
      first_(on_first_, x, w1(net_), b1(net_), h);
      second_(on_second_, h, w2(net_), b2(net_), y);
    });
  }

  demo::cost spent() const { return spent_; }

 private:
  void backward(const float* images, const float* errors, index_t rows) {
    const auto x = matrix<pixels>(images, rows);
    const auto h = matrix<hidden>(h_, rows), dh = matrix<hidden>(dh_, rows);
    const auto dy = matrix<classes>(errors, rows);
    measured(2 * rows * hidden * classes, [&] {
      second_.backward_weights(on_second_, h, dy, w2(gradient_), b2(gradient_));
      second_.backward_data(on_second_, dy, w2(net_), dh);
    });
    undo_relu(h_, dh_, rows * hidden);
    measured(rows * pixels * hidden, [&] { first_.backward_weights(on_first_, x, dh, w1(gradient_), b1(gradient_)); });
  }

  static auto w1(network& n) { return view(n.w1, extents<pixels, hidden>()); }
  static auto b1(network& n) { return view(n.b1, extents<hidden>()); }
  static auto w2(network& n) { return view(n.w2, extents<hidden, classes>()); }
  static auto b2(network& n) { return view(n.b2, extents<classes>()); }

  /// Calls f, which does so many multiply-adds, and adds up what it takes.
  template <class F>
  void measured(index_t multiply_adds, F f) {
    const double start = demo::now();
    f();
    spent_.seconds += demo::now() - start;
    spent_.flops += 2.0 * static_cast<double>(multiply_adds);
  }

  static constexpr tern::kernel<first_layer, Policy> first_{};
  static constexpr tern::kernel<second_layer, Policy> second_{};
  // Where the kernels run: a tile machine under mimd, nothing to speak of under the other policies.
  decltype(first_.make_state()) on_first_ = first_.make_state({.m = batch});
  decltype(second_.make_state()) on_second_ = second_.make_state({.m = batch});
  network& net_;
  network gradient_;
  float h_[batch * hidden], dh_[batch * hidden];
  demo::cost spent_;
};

template <class Policy>
demo::cost train(network& net, const samples& examples, int epochs, const samples& held_out, float* logits) {
  learner<Policy> l(net);
  const auto batches = [](const samples& s, auto f) {
    for (index_t i = 0; i < s.count; i += batch) f(i, s.count - i < batch ? s.count - i : batch);
  };
  float rate = 0.5f;
  for (int e = 0; e < epochs; ++e, rate *= 0.9f)
    batches(examples,
            [&](index_t i, index_t rows) { l.learn(examples.images + i * pixels, examples.labels + i, rows, rate); });
  batches(held_out,
          [&](index_t i, index_t rows) { l.infer(held_out.images + i * pixels, rows, logits + i * classes); });
  return l.spent();
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
