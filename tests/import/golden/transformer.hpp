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
  using numbers_of_positions = tern::per_element<tern::elementwise<tern::elementwise_config{.bias = true}>>;
  using blocks = tern::block_list<numbers_of_positions>;

  static constexpr tern::value layers_0_part(tern::graph& g, const char* name, tern::index_t number,
                                             const tern::value& x) {
    const auto names = g.inside(name, number);
    const auto norm1 = g.layer_norm_channels("norm1", {}, x);
    const auto attention_qkv = g.conv1d("attention.qkv", {.out = 72, .bias = true}, norm1);
    const auto part = g.slice("part", 0, 24, attention_qkv);
    const auto part_2 = g.slice("part_2", 24, 24, attention_qkv);
    const auto part_3 = g.slice("part_3", 48, 24, attention_qkv);
    const auto attention = g.attention("attention", 3, part, part_2, part_3);
    const auto attention_proj = g.conv1d("attention.proj", {.out = 24, .bias = true}, attention);
    const auto sum = g.add("sum", x, attention_proj);
    const auto norm2 = g.layer_norm_channels("norm2", {}, sum);
    const auto mlp_fc1 = g.conv1d("mlp.fc1", {.out = 48, .bias = true, .act = tern::activation::gelu}, norm2);
    const auto mlp_fc2 = g.conv1d("mlp.fc2", {.out = 24, .bias = true}, mlp_fc1);
    const auto sum_2 = g.add("sum_2", sum, mlp_fc2);
    return sum_2;
  }
  static constexpr tern::value define(tern::graph& g, tern::value x) {
    const auto patches = g.conv2d("patches", {.out = 24, .kernel = 4, .stride = 4, .bias = true}, x);
    const auto shaped = g.reshape("shaped", tern::sample_shape::signal(24, 12), patches);
    const auto position = g.block<numbers_of_positions>("position", shaped);
    const auto layers_0 = layers_0_part(g, "layers", 0, position);
    const auto mean = g.global_avg_pool("mean", layers_0);
    const auto head = g.matmul("head", {.n = 3, .bias = true}, g.flatten(mean));
    return head;
  }
};

/// tern::load_safetensors("transformer.safetensors", tern::tensors_of<transformer<>>(parameters, statistics)) has its weights.
template <class Policy = tern::simd<>>
using transformer = tern::network<transformer_layers, tern::sample_shape::image(2, 12, 16), Policy>;
