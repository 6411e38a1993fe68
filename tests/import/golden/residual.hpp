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
  static constexpr tern::value define(tern::graph& g, tern::value x) {
    const auto conv1 = g.conv2d("conv1", {.out = 8, .kernel = 7, .stride = 2, .pad = 3}, x);
    const auto bn1 = g.batch_norm("bn1", {.act = tern::activation::relu, .epsilon = 0.001}, conv1);
    const auto max_pool = g.max_pool2d("max_pool", {.kernel = 3, .stride = 2, .pad = 1}, bn1);
    const auto layer1_0_conv1 = g.conv2d("layer1.0.conv1", {.out = 8, .kernel = 3, .pad = 1}, max_pool);
    const auto layer1_0_bn1 = g.batch_norm("layer1.0.bn1", {.act = tern::activation::relu, .epsilon = 0.001},
                                           layer1_0_conv1);
    const auto layer1_0_conv2 = g.conv2d("layer1.0.conv2", {.out = 8, .kernel = 3, .pad = 1}, layer1_0_bn1);
    const auto layer1_0_bn2 = g.batch_norm("layer1.0.bn2", {.epsilon = 0.001}, layer1_0_conv2);
    const auto add = g.add("add", layer1_0_bn2, max_pool);
    const auto relu = g.activate("relu", tern::activation::relu, add);
    const auto layer1_1_conv1 = g.conv2d("layer1.1.conv1", {.out = 8, .kernel = 3, .pad = 1}, relu);
    const auto layer1_1_bn1 = g.batch_norm("layer1.1.bn1", {.act = tern::activation::relu, .epsilon = 0.001},
                                           layer1_1_conv1);
    const auto layer1_1_conv2 = g.conv2d("layer1.1.conv2", {.out = 8, .kernel = 3, .pad = 1}, layer1_1_bn1);
    const auto layer1_1_bn2 = g.batch_norm("layer1.1.bn2", {.epsilon = 0.001}, layer1_1_conv2);
    const auto add_2 = g.add("add_2", layer1_1_bn2, relu);
    const auto relu_2 = g.activate("relu_2", tern::activation::relu, add_2);
    const auto layer2_0_conv1 = g.conv2d("layer2.0.conv1", {.out = 12, .kernel = 3, .stride = 2, .pad = 1}, relu_2);
    const auto layer2_0_bn1 = g.batch_norm("layer2.0.bn1", {.act = tern::activation::relu, .epsilon = 0.001},
                                           layer2_0_conv1);
    const auto layer2_0_conv2 = g.conv2d("layer2.0.conv2", {.out = 12, .kernel = 3, .pad = 1}, layer2_0_bn1);
    const auto layer2_0_bn2 = g.batch_norm("layer2.0.bn2", {.epsilon = 0.001}, layer2_0_conv2);
    const auto layer2_0_downsample_0 = g.conv2d("layer2.0.downsample.0", {.out = 12, .kernel = 1, .stride = 2}, relu_2);
    const auto layer2_0_downsample_1 = g.batch_norm("layer2.0.downsample.1", {.epsilon = 0.001}, layer2_0_downsample_0);
    const auto add_3 = g.add("add_3", layer2_0_bn2, layer2_0_downsample_1);
    const auto relu_3 = g.activate("relu_3", tern::activation::relu, add_3);
    const auto layer2_1_conv1 = g.conv2d("layer2.1.conv1", {.out = 12, .kernel = 3, .pad = 1}, relu_3);
    const auto layer2_1_bn1 = g.batch_norm("layer2.1.bn1", {.act = tern::activation::relu, .epsilon = 0.001},
                                           layer2_1_conv1);
    const auto layer2_1_conv2 = g.conv2d("layer2.1.conv2", {.out = 12, .kernel = 3, .pad = 1}, layer2_1_bn1);
    const auto layer2_1_bn2 = g.batch_norm("layer2.1.bn2", {.epsilon = 0.001}, layer2_1_conv2);
    const auto add_4 = g.add("add_4", layer2_1_bn2, relu_3);
    const auto relu_4 = g.activate("relu_4", tern::activation::relu, add_4);
    const auto reduce_mean = g.global_avg_pool("reduce_mean", relu_4);
    const auto fc = g.matmul("fc", {.n = 4}, g.flatten(reduce_mean));
    return fc;
  }
};

/// tern::load_safetensors("residual.safetensors", tern::tensors_of<residual<>>(parameters, statistics)) has its weights.
template <class Policy = tern::simd<>>
using residual = tern::network<residual_layers, tern::sample_shape::image(3, 21, 24), Policy>;
