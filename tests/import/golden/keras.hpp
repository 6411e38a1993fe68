// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written by tern-import from keras.onnx.
#pragma once

#include <tern/blocks.hpp>
#include <tern/simd.hpp>

/// The layers of keras. Tensors lie in memory in this order, the last axis next to each other:
///   x_0 (x:0): samples, height 16, width 20, 3 channels
///   softmax (dense): samples, 5 features, a result
struct keras_layers {
  static constexpr tern::value define(tern::graph& g, tern::value x_0) {
    const auto conv2d = g.conv2d(
        "conv2d",
        {.out = 6, .kernel = 3, .stride = 2, .rule = tern::padding::same_tf, .bias = true,
         .act = tern::activation::relu}, x_0);
    const auto pool = g.max_pool2d("pool", {.kernel = 2}, conv2d);
    const auto pad = g.pad2d("pad", {.pad = 1}, pool);
    const auto conv2d_1 = g.conv2d("conv2d_1", {.out = 8, .kernel = 3, .bias = true, .act = tern::leaky_relu(0.2)},
                                   pad);
    const auto mean = g.global_avg_pool("mean", conv2d_1);
    const auto sigmoid = g.activate("sigmoid", tern::activation::sigmoid, mean);
    const auto product = g.multiply("product", conv2d_1, sigmoid);
    const auto dense = g.matmul("dense", {.n = 5, .bias = true}, g.flatten(product));
    const auto softmax = g.softmax("softmax", {.axis = 1}, dense);
    return softmax;
  }
};

/// tern::load_safetensors("keras.safetensors", tern::tensors_of<keras<>>(parameters, statistics)) has its weights.
template <class Policy = tern::simd<>>
using keras = tern::network<keras_layers, tern::sample_shape::image(3, 16, 20), Policy>;
