// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written by tern-import from transformer.onnx.
#pragma once

#include <tern/blocks.hpp>
#include <tern/simd.hpp>

/// The layers of transformer. Tensors lie in memory in this order, the last axis next to each other:
///   x: samples, height 12, width 16, 2 channels
///   head (y): samples, 3 features, a result
struct transformer_layers {
  using blocks = tern::block_list<tern::per_element<tern::elementwise<tern::elementwise_config{.bias = true}>>>;

  static constexpr tern::value define(tern::graph& g, tern::value x) {
    const auto patches = g.conv2d("patches", {.out = 24, .kernel = 4, .stride = 4, .bias = true}, x);
    const auto reshape = g.reshape("reshape", tern::sample_shape::signal(24, 12), patches);
    const auto position = g.block<tern::per_element<tern::elementwise<tern::elementwise_config{.bias = true}>>>(
        "position", reshape);
    const auto layers_0_norm1 = g.layer_norm_channels("layers.0.norm1", {}, position);
    const auto layers_0_attention_qkv = g.conv1d("layers.0.attention.qkv", {.out = 72, .bias = true}, layers_0_norm1);
    const auto gather = g.slice("gather", 0, 24, layers_0_attention_qkv);
    const auto gather_2 = g.slice("gather_2", 24, 24, layers_0_attention_qkv);
    const auto gather_3 = g.slice("gather_3", 48, 24, layers_0_attention_qkv);
    const auto attention = g.attention("attention", 3, gather, gather_2, gather_3);
    const auto layers_0_attention_proj = g.conv1d("layers.0.attention.proj", {.out = 24, .bias = true}, attention);
    const auto add = g.add("add", position, layers_0_attention_proj);
    const auto layers_0_norm2 = g.layer_norm_channels("layers.0.norm2", {}, add);
    const auto layers_0_mlp_fc1 = g.conv1d("layers.0.mlp.fc1", {.out = 48, .bias = true, .act = tern::activation::gelu},
                                           layers_0_norm2);
    const auto layers_0_mlp_fc2 = g.conv1d("layers.0.mlp.fc2", {.out = 24, .bias = true}, layers_0_mlp_fc1);
    const auto add_2 = g.add("add_2", add, layers_0_mlp_fc2);
    const auto reduce_mean = g.global_avg_pool("reduce_mean", add_2);
    const auto head = g.matmul("head", {.n = 3, .bias = true}, g.flatten(reduce_mean));
    return head;
  }
};

/// tern::load_safetensors("transformer.safetensors", tern::tensors_of<transformer<>>(parameters, statistics)) has its weights.
template <class Policy = tern::simd<>>
using transformer = tern::network<transformer_layers, tern::sample_shape::image(2, 12, 16), Policy>;
