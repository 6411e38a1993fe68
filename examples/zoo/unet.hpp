// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

/// Segments images: one of two classes for each pixel of the middle.
/// \tparam Width  channels of the first convolution
template <index_t Width>
struct unet_of {
  static constexpr const char* title = "U-Net";
  static constexpr const char* source = "Ronneberger et al. 2015, arXiv 1505.04597; graphcore/examples, MIT";
  static constexpr sample_shape full = sample_shape::image(1, 572, 572), reduced = sample_shape::image(1, 188, 188);
  using loss = tern::cross_entropy<summed>;

  static constexpr value two_convolutions(graph& g, value x, index_t width) {
    x = g.conv2d("conv1", {.out = width, .kernel = 3, .bias = true, .act = activation::relu}, x);
    return g.conv2d("conv2", {.out = width, .kernel = 3, .bias = true, .act = activation::relu}, x);
  }
  static constexpr value middle_of(graph& g, const value& x, const value& like) {
    const index_t rows = x.shape.extent[0] - like.shape.extent[0], columns = x.shape.extent[1] - like.shape.extent[1];
    return g.crop2d("crop", {.crop = {rows / 2, columns / 2}, .crop_end = {rows - rows / 2, columns - columns / 2}}, x);
  }
  static constexpr value define(graph& g, value x) {
    value left[4];
    for (index_t d = 0; d < 4; ++d) {
      const auto names = g.inside("down", d);
      left[d] = two_convolutions(g, x, Width << d);
      x = g.max_pool2d("pool", {.kernel = 2, .stride = 2}, left[d]);
    }
    {
      const auto names = g.inside("bottom");
      x = g.dropout("drop", 50, two_convolutions(g, x, 16 * Width));
    }
    for (index_t d = 3; d >= 0; --d) {
      const auto names = g.inside("up", d);
      x = g.conv_transpose2d("widen",
                             {.out = Width << d, .kernel = 2, .stride = 2, .bias = true, .act = activation::relu}, x);
      x = two_convolutions(g, g.concat("join", {middle_of(g, left[d], x), x}), Width << d);
    }
    return g.conv2d("classes", {.out = 2, .bias = true}, x);
  }
};

struct unet : unet_of<64> {
  static constexpr index_t parameters = 31030658;
  using small = unet_of<4>;  ///< no smaller image has a middle: channels are fewer
};
// Variants.
struct unet_188 : unet_of<64> {
  static constexpr const char* title = "U-Net, 188 x 188 pixels";
  static constexpr sample_shape full = reduced;
  static constexpr index_t parameters = unet::parameters;
};
struct unet_188_relaxed : unet_188 {
  static constexpr const char* title = "U-Net, 188 x 188 pixels, relaxed";
  using numerics = tern::numerics::relaxed;
};

}  // namespace zoo::inline TERN_ISA
