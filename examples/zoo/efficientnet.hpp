// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

/// EfficientNet: the width and depth of B0, scaled by these percentages. Without drop connect.
template <int Width, int Depth>
struct efficientnet {
  static constexpr const char* source =
      "Tan and Le 2019, arXiv 1905.11946; graphcore/examples, MIT; without drop connect";

  /// A multiple of 8, not less than nine tenths.
  static constexpr index_t wide(index_t channels) {
    const index_t hundredths = channels * Width, nearest = (hundredths / 100 + 4) / 8 * 8;
    const index_t rounded = nearest < 8 ? 8 : nearest;
    return rounded * 1000 < 9 * hundredths ? rounded + 8 : rounded;
  }
  static constexpr value squeeze_and_excite(graph& g, const value& x, index_t squeezed) {
    const auto names = g.inside("se");
    value s = g.global_avg_pool("pool", x);
    s = g.conv2d("reduce", {.out = squeezed, .bias = true, .act = activation::silu}, s);
    s = g.conv2d("expand", {.out = x.shape.channels, .bias = true, .act = activation::sigmoid}, s);
    return g.multiply("scale", x, s);
  }
  static constexpr value block(graph& g, const value& x, index_t expansion, index_t out, index_t kernel,
                               index_t stride) {
    const index_t expanded = x.shape.channels * expansion;
    value y = x;
    if (expansion > 1) {
      y = g.conv2d("expand", {.out = expanded}, y);
      y = g.batch_norm("expand_norm", {.act = activation::silu}, y);
    }
    y = g.conv2d("depthwise",
                 {.out = expanded,
                  .groups = expanded,
                  .kernel = {kernel, kernel},
                  .stride = {stride, stride},
                  .rule = padding::same_tf},
                 y);
    y = g.batch_norm("depthwise_norm", {.act = activation::silu}, y);
    y = squeeze_and_excite(g, y, x.shape.channels / 4);
    y = g.conv2d("project", {.out = out}, y);
    y = g.batch_norm("project_norm", {}, y);
    return stride == 1 && out == x.shape.channels ? g.add("add", x, y) : y;
  }
  static constexpr value define(graph& g, value x) {
    struct stage {
      index_t expansion, out, repeats, stride, kernel;
    };
    constexpr stage stages[] = {{1, 16, 1, 1, 3},  {6, 24, 2, 2, 3},  {6, 40, 2, 2, 5}, {6, 80, 3, 2, 3},
                                {6, 112, 3, 1, 5}, {6, 192, 4, 2, 5}, {6, 320, 1, 1, 3}};
    x = g.conv2d("stem", {.out = wide(32), .kernel = 3, .stride = 2, .rule = padding::same_tf}, x);
    x = g.batch_norm("stem_norm", {.act = activation::silu}, x);
    index_t number = 0;
    for (const stage& s : stages)
      for (index_t i = 0; i < (s.repeats * Depth + 99) / 100; ++i) {
        const auto names = g.inside("blocks", number++);
        x = block(g, x, s.expansion, wide(s.out), s.kernel, i == 0 ? s.stride : 1);
      }
    x = g.conv2d("top", {.out = wide(1280)}, x);
    x = g.batch_norm("top_norm", {.act = activation::silu}, x);
    x = g.dropout("drop", Depth > 100 ? 40 : 20, g.flatten(g.global_avg_pool("pool", x)));
    return g.matmul("classifier", {.n = 1000, .bias = true}, x);
  }
};

struct efficientnet_b0 : efficientnet<100, 100>, classifier<224, 64> {
  static constexpr const char* title = "EfficientNet-B0";
  static constexpr index_t parameters = 5288548;
};
struct efficientnet_b4 : efficientnet<140, 180>, classifier<380, 64> {
  static constexpr const char* title = "EfficientNet-B4";
  static constexpr index_t parameters = 19341616;
};

}  // namespace zoo::inline TERN_ISA
