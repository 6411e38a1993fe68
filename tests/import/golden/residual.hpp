// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written by tern-import from residual.onnx.
#pragma once

#include <tern/blocks.hpp>
#include <tern/simd.hpp>

/// The layers of residual. Tensors lie in memory in this order, the last axis next to each other:
///   x: samples, height 21, width 24, 3 channels
///   fc (y): samples, 4 features, a result
struct residual_layers {
  static constexpr tern::value layer1_part(tern::graph& g, const char* name, tern::index_t number,
                                           const tern::value& x) {
    const auto names = g.inside(name, number);
    const auto conv1 = g.conv2d("conv1", {.out = 8, .kernel = 3, .pad = 1}, x);
    const auto bn1 = g.batch_norm("bn1", {.act = tern::activation::relu, .epsilon = 0.001}, conv1);
    const auto conv2 = g.conv2d("conv2", {.out = 8, .kernel = 3, .pad = 1}, bn1);
    const auto bn2 = g.batch_norm("bn2", {.epsilon = 0.001}, conv2);
    const auto sum = g.add("sum", bn2, x);
    const auto relu = g.activate("relu", tern::activation::relu, sum);
    return relu;
  }
  static constexpr tern::value layer2_0_part(tern::graph& g, const char* name, tern::index_t number,
                                             const tern::value& x) {
    const auto names = g.inside(name, number);
    const auto conv1 = g.conv2d("conv1", {.out = 12, .kernel = 3, .stride = 2, .pad = 1}, x);
    const auto bn1 = g.batch_norm("bn1", {.act = tern::activation::relu, .epsilon = 0.001}, conv1);
    const auto conv2 = g.conv2d("conv2", {.out = 12, .kernel = 3, .pad = 1}, bn1);
    const auto bn2 = g.batch_norm("bn2", {.epsilon = 0.001}, conv2);
    const auto downsample_0 = g.conv2d("downsample.0", {.out = 12, .kernel = 1, .stride = 2}, x);
    const auto downsample_1 = g.batch_norm("downsample.1", {.epsilon = 0.001}, downsample_0);
    const auto sum = g.add("sum", bn2, downsample_1);
    const auto relu = g.activate("relu", tern::activation::relu, sum);
    return relu;
  }
  static constexpr tern::value layer2_1_part(tern::graph& g, const char* name, tern::index_t number,
                                             const tern::value& x) {
    const auto names = g.inside(name, number);
    const auto conv1 = g.conv2d("conv1", {.out = 12, .kernel = 3, .pad = 1}, x);
    const auto bn1 = g.batch_norm("bn1", {.act = tern::activation::relu, .epsilon = 0.001}, conv1);
    const auto conv2 = g.conv2d("conv2", {.out = 12, .kernel = 3, .pad = 1}, bn1);
    const auto bn2 = g.batch_norm("bn2", {.epsilon = 0.001}, conv2);
    const auto sum = g.add("sum", bn2, x);
    const auto relu = g.activate("relu", tern::activation::relu, sum);
    return relu;
  }
  static constexpr tern::value define(tern::graph& g, tern::value x) {
    const auto conv1 = g.conv2d("conv1", {.out = 8, .kernel = 7, .stride = 2, .pad = 3}, x);
    const auto bn1 = g.batch_norm("bn1", {.act = tern::activation::relu, .epsilon = 0.001}, conv1);
    const auto pool = g.max_pool2d("pool", {.kernel = 3, .stride = 2, .pad = 1}, bn1);
    tern::value layer1 = pool;
    for (tern::index_t i = 0; i < 2; ++i) layer1 = layer1_part(g, "layer1", i, layer1);
    const auto layer2_0 = layer2_0_part(g, "layer2", 0, layer1);
    const auto layer2_1 = layer2_1_part(g, "layer2", 1, layer2_0);
    const auto mean = g.global_avg_pool("mean", layer2_1);
    const auto fc = g.matmul("fc", {.n = 4}, g.flatten(mean));
    return fc;
  }
};

/// tern::load_safetensors("residual.safetensors", tern::tensors_of<residual<>>(parameters, statistics)) has its weights.
template <class Policy = tern::simd<>>
using residual = tern::network<residual_layers, tern::sample_shape::image(3, 21, 24), Policy>;
