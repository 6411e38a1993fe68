// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

/// ResNet-50 v1.5 (He et al. 2015, arXiv 1512.03385), whose 3 x 3 convolutions have the strides, with the names of
/// torchvision (BSD-3-Clause).
/// \tparam Recomputes  true if training keeps only the inputs of blocks
template <bool Recomputes>
struct resnet50_of : classifier<224, 32> {
  static constexpr const char* source = "He et al. 2015, arXiv 1512.03385; torchvision, BSD-3-Clause";
  static constexpr index_t parameters = 25557032;

  static constexpr value bottleneck(graph& g, const value& x, index_t width, index_t stride) {
    value y = g.conv2d("conv1", {.out = width}, x);
    y = g.batch_norm("bn1", {.act = activation::relu}, y);
    y = g.conv2d("conv2", {.out = width, .kernel = 3, .stride = {stride, stride}, .pad = 1}, y);
    y = g.batch_norm("bn2", {.act = activation::relu}, y);
    y = g.conv2d("conv3", {.out = 4 * width}, y);
    y = g.batch_norm("bn3", {}, y);
    value shortcut = x;
    if (stride > 1 || x.shape.channels != 4 * width) {
      const auto names = g.inside("downsample");
      shortcut = g.conv2d("0", {.out = 4 * width, .stride = {stride, stride}}, x);
      shortcut = g.batch_norm("1", {}, shortcut);
    }
    return g.activate("relu", activation::relu, g.add("add", y, shortcut));
  }
  static constexpr value define(graph& g, value x) {
    x = g.conv2d("conv1", {.out = 64, .kernel = 7, .stride = 2, .pad = 3}, x);
    x = g.batch_norm("bn1", {.act = activation::relu}, x);
    x = g.max_pool2d("maxpool", {.kernel = 3, .stride = 2, .pad = 1}, x);
    constexpr const char* layers[] = {"layer1", "layer2", "layer3", "layer4"};
    constexpr index_t blocks[] = {3, 4, 6, 3};
    for (index_t stage = 0; stage < 4; ++stage)
      for (index_t i = 0; i < blocks[stage]; ++i) {
        const auto names = g.inside(layers[stage], i);
        const index_t stride = i == 0 && stage > 0 ? 2 : 1;
        if constexpr (Recomputes) {
          const auto again = g.checkpoint();
          x = bottleneck(g, x, 64 << stage, stride);
        } else {
          x = bottleneck(g, x, 64 << stage, stride);
        }
      }
    x = g.flatten(g.global_avg_pool("avgpool", x));
    return g.matmul("fc", {.n = 1000, .bias = true}, x);
  }
};

struct resnet50 : resnet50_of<false> {
  static constexpr const char* title = "ResNet-50 v1.5";
};
struct resnet50_recompute : resnet50_of<true> {
  static constexpr const char* title = "ResNet-50 v1.5, blocks computed again";
  using stored = resnet50_of<false>;
  using recomputed = resnet50_of<true>;
};

/// A variant: inference takes fewer multiplications, with a tolerance.
struct resnet50_relaxed : resnet50_of<false> {
  static constexpr const char* title = "ResNet-50 v1.5, relaxed";
  using numerics = tern::numerics::relaxed;
};

}  // namespace zoo::inline TERN_ISA
