// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

/// The inverted bottleneck of MobileNetV3.
struct mobile_bottleneck {
  index_t kernel, expanded, out;
  bool squeezes;
  activation act;
  index_t stride;
};
constexpr value squeeze_and_excite(graph& g, const value& x) {
  const auto names = g.inside("se");
  const index_t squeezed = (x.shape.channels / 4 + 7) / 8 * 8;
  value s = g.global_avg_pool("pool", x);
  s = g.conv2d("fc1", {.out = squeezed, .bias = true, .act = activation::relu}, s);
  s = g.conv2d("fc2", {.out = x.shape.channels, .bias = true, .act = activation::hard_sigmoid}, s);
  return g.multiply("scale", x, s);
}
constexpr value mobile_block(graph& g, const value& x, const mobile_bottleneck& b) {
  value y = x;
  if (b.expanded != x.shape.channels) {
    y = g.conv2d("expand", {.out = b.expanded}, y);
    y = g.batch_norm("expand_norm", {.act = b.act}, y);
  }
  const index_t pad = b.kernel / 2;
  y = g.conv2d("depthwise",
               {.out = b.expanded,
                .groups = b.expanded,
                .kernel = {b.kernel, b.kernel},
                .stride = {b.stride, b.stride},
                .pad = {pad, pad}},
               y);
  y = g.batch_norm("depthwise_norm", {.act = b.act}, y);
  if (b.squeezes) y = squeeze_and_excite(g, y);
  y = g.conv2d("project", {.out = b.out}, y);
  y = g.batch_norm("project_norm", {}, y);
  return b.stride == 1 && b.out == x.shape.channels ? g.add("add", x, y) : y;
}
/// \param last  channels of the last convolution
template <int N>
constexpr value mobilenet(graph& g, value x, const mobile_bottleneck (&blocks)[N], index_t last) {
  x = g.conv2d("stem", {.out = 16, .kernel = 3, .stride = 2, .pad = 1}, x);
  x = g.batch_norm("stem_norm", {.act = activation::hard_swish}, x);
  for (index_t i = 0; i < N; ++i) {
    const auto names = g.inside("blocks", i);
    x = mobile_block(g, x, blocks[i]);
  }
  x = g.conv2d("last", {.out = last}, x);
  x = g.batch_norm("last_norm", {.act = activation::hard_swish}, x);
  x = g.flatten(g.global_avg_pool("pool", x));
  x = g.matmul("head", {.n = 1280, .act = activation::hard_swish}, x);
  x = g.dropout("drop", 20, x);
  return g.matmul("classifier", {.n = 1000, .bias = true}, x);
}

struct mobilenet_v3_small : classifier<224, 64> {
  static constexpr const char* title = "MobileNetV3-Small, head of 1280";
  static constexpr const char* source = "Howard et al. 2019, arXiv 1905.02244; graphcore/examples, MIT";
  static constexpr index_t parameters = 2945288;

  static constexpr value define(graph& g, value x) {
    constexpr activation relu = activation::relu, swish = activation::hard_swish;
    constexpr mobile_bottleneck blocks[] = {
        {3, 16, 16, true, relu, 2},   {3, 72, 24, false, relu, 2},  {3, 88, 24, false, relu, 1},
        {5, 96, 40, true, swish, 2},  {5, 240, 40, true, swish, 1}, {5, 240, 40, true, swish, 1},
        {5, 120, 48, true, swish, 1}, {5, 144, 48, true, swish, 1}, {5, 288, 96, true, swish, 2},
        {5, 576, 96, true, swish, 1}, {5, 576, 96, true, swish, 1}};
    return mobilenet(g, x, blocks, 576);
  }
};
struct mobilenet_v3_large : classifier<224, 64> {
  static constexpr const char* title = "MobileNetV3-Large";
  static constexpr const char* source = mobilenet_v3_small::source;
  static constexpr index_t parameters = 5481752;

  static constexpr value define(graph& g, value x) {
    constexpr activation relu = activation::relu, swish = activation::hard_swish;
    constexpr mobile_bottleneck blocks[] = {
        {3, 16, 16, false, relu, 1},   {3, 64, 24, false, relu, 2},   {3, 72, 24, false, relu, 1},
        {5, 72, 40, true, relu, 2},    {5, 120, 40, true, relu, 1},   {5, 120, 40, true, relu, 1},
        {3, 240, 80, false, swish, 2}, {3, 200, 80, false, swish, 1}, {3, 184, 80, false, swish, 1},
        {3, 184, 80, false, swish, 1}, {3, 480, 112, true, swish, 1}, {3, 672, 112, true, swish, 1},
        {5, 672, 160, true, swish, 2}, {5, 960, 160, true, swish, 1}, {5, 960, 160, true, swish, 1}};
    return mobilenet(g, x, blocks, 960);
  }
};

}  // namespace zoo::inline TERN_ISA
