// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

struct vit_sizes {
  index_t width = 768, heads = 12, layers = 12, patch = 16, classes = 1000;
};
/// A vision transformer.
template <vit_sizes S>
struct vit_of {
  static constexpr index_t width = S.width;

  using positions = tern::per_element<tern::elementwise<tern::elementwise_config{.bias = true}>>;
  using blocks = tern::block_list<tern::class_token, positions>;

  /// A dense layer at every position.
  static constexpr value dense(graph& g, const char* name, index_t out, const value& x,
                               activation act = activation::none) {
    return g.conv1d(name, {.out = out, .bias = true, .act = act}, x);
  }
  static constexpr value encoder_layer(graph& g, const value& x) {
    value y = g.layer_norm_channels("norm1", {}, x);
    y = g.attention("heads", S.heads, dense(g, "query", width, y), dense(g, "key", width, y),
                    dense(g, "value", width, y));
    const value attended = g.add("add1", x, dense(g, "project", width, y));
    y = g.layer_norm_channels("norm2", {}, attended);
    y = dense(g, "mlp2", width, dense(g, "mlp1", 4 * width, y, activation::gelu));
    return g.add("add2", attended, y);
  }
  static constexpr value define(graph& g, value x) {
    x = g.conv2d("patches", {.out = width, .kernel = {S.patch, S.patch}, .stride = {S.patch, S.patch}, .bias = true},
                 x);
    x = g.reshape("tokens", sample_shape::signal(width, x.shape.positions()), x);
    x = g.block<positions>("position", g.block<tern::class_token>("class", x));
    for (index_t i = 0; i < S.layers; ++i) {
      const auto names = g.inside("layers", i);
      x = encoder_layer(g, x);
    }
    // Results are read at the class token alone.
    x = g.crop1d("first", {.crop_end = {x.shape.extent[0] - 1}}, x);
    x = g.layer_norm_channels("norm", {}, x);
    return g.matmul("head", {.n = S.classes, .bias = true}, g.flatten(x));
  }
};

struct vit_b16 : vit_of<vit_sizes{}>, classifier<224, 48> {
  static constexpr const char* title = "ViT-B/16";
  static constexpr const char* source = "Dosovitskiy et al. 2020, arXiv 2010.11929; graphcore/examples, MIT";
  static constexpr index_t parameters = 86567656;
};

}  // namespace zoo::inline TERN_ISA
