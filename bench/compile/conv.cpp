// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A convolution whose sizes are all known.
#include <tern/simd.hpp>

void convolve(const float* x, const float* w, const float* bias, float* y) {
  using namespace tern;
  constexpr conv2d_config config{.in = 64, .out = 64, .kernel = 3, .pad = 1, .bias = true, .act = activation::relu};
  const kernel<conv2d<config>, simd<>> layer;
  const extents<1, 64, 32, 32> image;
  const extents<3, 3, 64, 64> taps;
  const extents<64> channels;
  layer(view<const float, extents<1, 64, 32, 32>, layout_channels_last>(unchecked, x, image), view(unchecked, w, taps),
        view(unchecked, bias, channels),
        view<float, extents<1, 64, 32, 32>, layout_channels_last>(unchecked, y, image));
}
