// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

struct densenet201 : classifier<224, 64> {
  static constexpr const char* title = "DenseNet-201";
  static constexpr const char* source = "Huang et al. 2016, arXiv 1608.06993; keras-applications, MIT";
  static constexpr index_t parameters = 20013928;

  static constexpr value normalised(graph& g, const char* name, const value& x) {
    return g.batch_norm(name, {.act = activation::relu}, x);
  }
  static constexpr value layer(graph& g, const value& x) {
    value y = g.conv2d("conv1", {.out = 128}, normalised(g, "norm1", x));
    y = g.conv2d("conv2", {.out = 32, .kernel = 3, .pad = 1}, normalised(g, "norm2", y));
    return g.concat("join", {x, y});
  }
  static constexpr value define(graph& g, value x) {
    x = g.conv2d("conv0", {.out = 64, .kernel = 7, .stride = 2, .pad = 3}, x);
    x = normalised(g, "norm0", x);
    x = g.max_pool2d("pool0", {.kernel = 3, .stride = 2, .pad = 1}, x);
    constexpr const char* blocks[] = {"denseblock1", "denseblock2", "denseblock3", "denseblock4"};
    constexpr const char* transitions[] = {"transition1", "transition2", "transition3"};
    constexpr index_t layers[] = {6, 12, 48, 32};
    for (int b = 0; b < 4; ++b) {
      for (index_t i = 0; i < layers[b]; ++i) {
        const auto names = g.inside(blocks[b], i);
        x = layer(g, x);
      }
      if (b == 3) break;
      const auto names = g.inside(transitions[b]);
      x = g.conv2d("conv", {.out = x.shape.channels / 2}, normalised(g, "norm", x));
      x = g.avg_pool2d("pool", {.kernel = 2, .stride = 2}, x);
    }
    x = g.flatten(g.global_avg_pool("pool", normalised(g, "norm5", x)));
    return g.matmul("classifier", {.n = 1000, .bias = true}, x);
  }
};

}  // namespace zoo::inline TERN_ISA
