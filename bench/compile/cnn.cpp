// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two convolutions, a pool and a dense layer, called one after the other.
#include <tern/simd.hpp>

using namespace tern;

template <class T>
using images = view<T, dims<4>, layout_channels_last>;

void classify(index_t n, const float* x, const float* w1, const float* w2, const float* w3, float* a, float* b,
              float* c, float* y) {
  constexpr conv2d_config first{.in = 1, .out = 16, .kernel = 3, .pad = 1, .act = activation::relu},
      second{.in = 16, .out = 32, .kernel = 3, .pad = 1, .act = activation::relu};
  kernel<conv2d<first>, simd<>>{}(images<const float>(unchecked, x, dims<4>(n, 1, 28, 28)),
                                  view(unchecked, w1, extents<3, 3, 1, 16>()),
                                  images<float>(unchecked, a, dims<4>(n, 16, 28, 28)));
  kernel<max_pool2d<pool2d_config{.kernel = 2}>, simd<>>{}(images<const float>(unchecked, a, dims<4>(n, 16, 28, 28)),
                                                           images<float>(unchecked, b, dims<4>(n, 16, 14, 14)));
  kernel<conv2d<second>, simd<>>{}(images<const float>(unchecked, b, dims<4>(n, 16, 14, 14)),
                                   view(unchecked, w2, extents<3, 3, 16, 32>()),
                                   images<float>(unchecked, c, dims<4>(n, 32, 14, 14)));
  kernel<matmul<matmul_config{.n = 10, .k = 32 * 14 * 14}>, simd<>>{}(
      view<const float, dims<2>>(unchecked, c, dims<2>(n, 32 * 14 * 14)),
      view(unchecked, w3, extents<32 * 14 * 14, 10>()), view<float, dims<2>>(unchecked, y, dims<2>(n, 10)));
}
