// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

/// Compresses images. A stand-in: the paper names the layers, but not their sizes.
struct residual_autoencoder {
  static constexpr const char* title = "Residual autoencoder (stand-in)";
  static constexpr const char* source = "after a PEARC 2022 paper on IPUs, whose code is not public";
  static constexpr sample_shape full = sample_shape::image(1, 28, 28), reduced = full;
  static constexpr index_t parameters = 2257953;
  using loss = tern::squared_error<summed>;

  static constexpr value residual(graph& g, const value& x) {
    value y = g.conv2d("conv1", {.out = 128, .kernel = 3, .pad = 1, .bias = true, .act = activation::relu}, x);
    y = g.conv2d("conv2", {.out = 128, .kernel = 3, .pad = 1, .bias = true}, y);
    return g.add("add", x, y);
  }
  static constexpr value define(graph& g, value x) {
    constexpr activation relu = activation::relu;
    constexpr padding same = padding::same_tf;
    x = g.conv2d("down1", {.out = 64, .kernel = 5, .stride = 2, .rule = same, .bias = true, .act = relu}, x);
    x = g.conv2d("down2", {.out = 128, .kernel = 5, .stride = 2, .rule = same, .bias = true, .act = relu}, x);
    for (index_t i = 0; i < 3; ++i) {
      const auto names = g.inside("encoder", i);
      x = residual(g, x);
    }
    x = g.conv2d("bottleneck", {.out = 32, .kernel = 3, .pad = 1, .bias = true}, x);
    x = g.conv2d("expand", {.out = 128, .kernel = 3, .pad = 1, .bias = true, .act = relu}, x);
    for (index_t i = 0; i < 3; ++i) {
      const auto names = g.inside("decoder", i);
      x = residual(g, x);
    }
    x = g.conv_transpose2d(
        "up1", {.out = 64, .kernel = 5, .stride = 2, .crop = 1, .crop_end = 2, .bias = true, .act = relu}, x);
    return g.conv_transpose2d(
        "up2", {.out = 1, .kernel = 5, .stride = 2, .crop = 1, .crop_end = 2, .bias = true, .act = activation::sigmoid},
        x);
  }
};

}  // namespace zoo::inline TERN_ISA
