// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

/// With group norms, as it was trained on IPUs.
struct resnext101 : classifier<224, 64> {
  static constexpr const char* title = "ResNeXt-101 32x4d, group norms";
  static constexpr const char* source = "Xie et al. 2016, arXiv 1611.05431; graphcore/examples, MIT";
  static constexpr index_t parameters = 44177704;

  static constexpr value normalised(graph& g, const char* name, activation act, const value& x) {
    return g.group_norm(name, {.groups = 32, .act = act}, x);
  }
  static constexpr value bottleneck(graph& g, const value& x, index_t width, index_t stride) {
    value y = normalised(g, "norm1", activation::relu, g.conv2d("conv1", {.out = width}, x));
    y = g.conv2d("conv2",
                 {.out = width, .groups = 32, .kernel = 3, .stride = {stride, stride}, .rule = padding::same_tf}, y);
    y = normalised(g, "norm2", activation::relu, y);
    y = normalised(g, "norm3", activation::none, g.conv2d("conv3", {.out = 2 * width}, y));
    value shortcut = x;
    if (x.shape.channels != 2 * width) {
      const auto names = g.inside("shortcut");
      shortcut = g.conv2d("conv", {.out = 2 * width, .stride = {stride, stride}}, x);
      shortcut = normalised(g, "norm", activation::none, shortcut);
    }
    return g.activate("relu", activation::relu, g.add("add", y, shortcut));
  }
  static constexpr value define(graph& g, value x) {
    x = g.conv2d("stem", {.out = 64, .kernel = 7, .stride = 2, .rule = padding::same_tf}, x);
    x = normalised(g, "stem_norm", activation::relu, x);
    x = g.max_pool2d("stem_pool", {.kernel = 3, .stride = 2, .rule = padding::same_tf}, x);
    constexpr const char* stages[] = {"stage1", "stage2", "stage3", "stage4"};
    constexpr index_t blocks[] = {3, 4, 23, 3};
    for (int s = 0; s < 4; ++s)
      for (index_t i = 0; i < blocks[s]; ++i) {
        const auto names = g.inside(stages[s], i);
        x = bottleneck(g, x, 128 << s, i == 0 && s > 0 ? 2 : 1);
      }
    x = g.flatten(g.global_avg_pool("pool", x));
    return g.matmul("classifier", {.n = 1000, .bias = true}, x);
  }
};

}  // namespace zoo::inline TERN_ISA
