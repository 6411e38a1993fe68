// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written by tern-import from cnn.onnx.
#pragma once

#include <tern/blocks.hpp>
#include <tern/simd.hpp>

/// The layers of cnn. Tensors lie in memory in this order, the last axis next to each other:
///   image: samples, height 12, width 10, 1 channels
///   fc (scores): samples, 5 features, a result
struct cnn_layers {
  static constexpr tern::value define(tern::graph& g, tern::value image) {
    const auto conv1 = g.conv2d("conv1", {.out = 6, .kernel = 3, .pad = 1}, image);
    const auto bn1 = g.batch_norm("bn1", {.act = tern::activation::relu, .epsilon = 0.001}, conv1);
    const auto pool = g.max_pool2d("pool", {.kernel = 2}, bn1);
    const auto conv2 = g.conv2d(
        "conv2", {.out = 9, .kernel = 3, .stride = {2, 1}, .pad = {0, 1}, .pad_end = {1, 0}, .bias = true}, pool);
    const auto bn2 = g.batch_norm("bn2", {.act = tern::activation::relu, .epsilon = 0.001}, conv2);
    const auto fc = g.matmul("fc", {.n = 5, .bias = true}, g.flatten(bn2));
    return fc;
  }
};

/// tern::load_safetensors("cnn.safetensors", tern::tensors_of<cnn<>>(parameters, statistics)) has its weights.
template <class Policy = tern::simd<>>
using cnn = tern::network<cnn_layers, tern::sample_shape::image(1, 12, 10), Policy>;
