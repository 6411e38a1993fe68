// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

/// Denoises the electron spectra of 16 detectors around a pulse of X-rays.
struct cookienetae {
  static constexpr const char* title = "CookieNetAE";
  static constexpr const char* source = "AISDC/CookieNetAE, model.py of 128 channels (no licence: shapes only)";
  static constexpr sample_shape full = sample_shape::image(1, 128, 128), reduced = sample_shape::image(1, 32, 32);
  static constexpr index_t parameters = 208641;
  using loss = tern::squared_error<summed>;

  static constexpr value define(graph& g, value x) {
    constexpr activation relu = activation::relu;
    constexpr index_t down[] = {16, 32, 64, 128}, up[] = {128, 64, 32};
    for (index_t i = 0; i < 4; ++i) {
      const auto names = g.inside("encoder", i);
      x = g.conv2d("conv", {.out = down[i], .kernel = 3, .pad = 1, .bias = true, .act = relu}, x);
      if (i < 3) x = g.max_pool2d("pool", {.kernel = 2, .stride = 2}, x);
    }
    for (index_t i = 0; i < 3; ++i) {
      const auto names = g.inside("decoder", i);
      x = g.conv_transpose2d("widen", {.out = up[i], .kernel = 2, .stride = 2, .bias = true, .act = relu}, x);
    }
    x = g.conv_transpose2d("smooth", {.out = 16, .kernel = 3, .crop = 1, .bias = true, .act = relu}, x);
    return g.conv2d("image", {.out = 1, .kernel = 3, .pad = 1, .bias = true, .act = relu}, x);
  }
};

}  // namespace zoo::inline TERN_ISA
