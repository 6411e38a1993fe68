// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A perceptron with one hidden layer, written once for every policy.
#pragma once

#include <tern/core/math/exp.hpp>
#include <tern/reference.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <vector>

#include "dataset.hpp"

namespace digits {

using tern::extents;
using tern::index_t;
using tern::view;

// The two layers: what they compute, with the number of rows left open.
struct hidden_layer : tern::matmul<tern::matmul_config{
                          .n = 128, .k = dataset::pixels, .bias = true, .act = tern::activation::relu}> {};
struct output_layer : tern::matmul<tern::matmul_config{.n = dataset::classes, .k = 128, .bias = true}> {};

/// What the matmuls of a run took.
struct matmul_cost {
  double seconds = 0;
  double flops = 0;
};

/// Weights, gradients and activations of one layer of the type Layer under Policy.
template <class Layer, class Policy>
class layer {
 public:
  static constexpr index_t inputs = Layer::config.k, outputs = Layer::config.n;
  using state_type = typename tern::contraction_kernel<Policy>::state;

  explicit layer(unsigned seed) : weights_(inputs * outputs), gradient_(weights_.size()), bias_(outputs), bias_gradient_(outputs) {
    // Uniform in +-sqrt(6 / inputs) (He et al. 2015, arXiv 1502.01852), from a generator of 64-bit arithmetic only.
    std::uint64_t x = seed;
    const float scale = 2.0f * __builtin_sqrtf(6.0f / inputs) / 16777216.0f;
    for (float& w : weights_) {
      x = x * 6364136223846793005u + 1442695040888963407u;
      w = static_cast<float>(static_cast<std::int64_t>(x >> 40) - 8388608) * scale;
    }
  }

  /// y = layer(x) for `rows` samples.
  void forward(const float* x, index_t rows, float* y, state_type& state, matmul_cost& cost) const {
    timed(cost, rows, [&] { kernel_(state, view{x, extents{rows, inputs}}, weights(), bias_, view{y, extents{rows, outputs}}); });
  }

  /// The gradients of weights and bias from x and dy, and of x where dx is not null.
  void backward(const float* x, const float* dy, index_t rows, float* dx, state_type& state, matmul_cost& cost) {
    const view samples{x, extents{rows, inputs}};
    const view errors{dy, extents{rows, outputs}};
    timed(cost, rows, [&] { kernel_.backward_weights(state, samples, errors, view{gradient_.data(), extents<inputs, outputs>{}}, bias_gradient_); });
    if (dx) timed(cost, rows, [&] { kernel_.backward_data(state, errors, weights(), view{dx, extents{rows, inputs}}); });
  }

  /// One step of gradient descent.
  void step(float rate) {
    for (std::size_t i = 0; i < weights_.size(); ++i) weights_[i] = tern::math::fma(-rate, gradient_[i], weights_[i]);
    for (std::size_t i = 0; i < bias_.size(); ++i) bias_[i] = tern::math::fma(-rate, bias_gradient_[i], bias_[i]);
  }

  const std::vector<float>& raw_weights() const { return weights_; }

 private:
  auto weights() const { return view{weights_.data(), extents<inputs, outputs>{}}; }

  template <class F>
  static void timed(matmul_cost& cost, index_t rows, F f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    cost.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    cost.flops += 2.0 * static_cast<double>(rows) * inputs * outputs;
  }

  tern::kernel<Layer, Policy> kernel_;
  std::vector<float> weights_, gradient_, bias_, bias_gradient_;
};

}  // namespace digits
