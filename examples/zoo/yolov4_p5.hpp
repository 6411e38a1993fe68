// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

/// Finds objects at three scales: at every position boxes of 4 anchors, with 85 numbers each.
struct yolov4_p5 {
  static constexpr const char* title = "Scaled-YOLOv4 P5";
  static constexpr const char* source = "Wang et al. 2020, arXiv 2011.08036; graphcore/examples, MIT";
  static constexpr sample_shape full = sample_shape::image(3, 896, 896), reduced = sample_shape::image(3, 64, 64);
  static constexpr index_t parameters = 70834012;

  static constexpr value sums(graph& g, const char* name, index_t out, const value& x) {
    return g.conv2d(name, {.out = out}, x);
  }
  static constexpr value normalised(graph& g, const char* name, const value& x) {
    return g.batch_norm(name, {.act = activation::mish}, x);
  }
  static constexpr value conv(graph& g, const char* name, index_t out, index_t kernel, const value& x,
                              index_t stride = 1) {
    const auto names = g.inside(name);
    const index_t pad = kernel / 2;
    return normalised(
        g, "norm",
        g.conv2d("conv", {.out = out, .kernel = {kernel, kernel}, .stride = {stride, stride}, .pad = {pad, pad}}, x));
  }
  static constexpr value bottlenecks(graph& g, index_t count, bool adds, value x) {
    for (index_t i = 0; i < count; ++i) {
      const auto names = g.inside("bottlenecks", i);
      const value y = conv(g, "conv2", x.shape.channels, 3, conv(g, "conv1", x.shape.channels, 1, x));
      x = adds ? g.add("add", x, y) : y;
    }
    return x;
  }
  /// A stage of the backbone, of half the channels on either way.
  static constexpr value stage(graph& g, value x, index_t out, index_t count) {
    x = conv(g, "down", out, 3, x, 2);
    const value deep = bottlenecks(g, count, true, conv(g, "conv1", out / 2, 1, x));
    const value both = g.concat("join", {sums(g, "conv3", out / 2, deep), sums(g, "conv2", out / 2, x)});
    return conv(g, "conv4", out, 1, normalised(g, "norm", both));
  }
  /// A stage of the neck.
  static constexpr value neck(graph& g, index_t out, const value& x) {
    const value before = conv(g, "conv1", out, 1, x);
    const value both = g.concat("join", {bottlenecks(g, 3, false, before), sums(g, "conv2", out, before)});
    return conv(g, "conv3", out, 1, normalised(g, "norm", both));
  }
  /// Maxima of wide windows, concatenated with their input.
  static constexpr value pyramid(graph& g, const value& x) {
    const value y = conv(g, "conv4", 512, 1, conv(g, "conv3", 512, 3, conv(g, "conv1", 512, 1, x)));
    const auto maxima = [&](const char* name, index_t kernel) {
      return g.max_pool2d(name, {.kernel = {kernel, kernel}, .stride = 1, .pad = {kernel / 2, kernel / 2}}, y);
    };
    const value all = g.concat("join", {y, maxima("pool5", 5), maxima("pool9", 9), maxima("pool13", 13)});
    const value deep = conv(g, "conv6", 512, 3, conv(g, "conv5", 512, 1, all));
    const value both = g.concat("join_ways", {deep, sums(g, "conv2", 512, x)});
    return conv(g, "conv7", 512, 1, normalised(g, "norm", both));
  }
  static constexpr value upwards(graph& g, const value& x, const value& lateral, index_t out) {
    const value wide = g.upsample2d("upsample", {.factor = 2}, conv(g, "reduce", out, 1, x));
    return neck(g, out, g.concat("join_scales", {conv(g, "lateral", out, 1, lateral), wide}));
  }
  static constexpr value downwards(graph& g, const value& x, const value& lateral) {
    const index_t out = lateral.shape.channels;
    return neck(g, out, g.concat("join_scales", {conv(g, "down", out, 3, x, 2), lateral}));
  }
  static constexpr std::array<value, 3> define(graph& g, value x) {
    x = conv(g, "stem", 32, 3, x);
    constexpr index_t counts[] = {1, 3, 15, 15, 7};
    value scales[5];
    for (index_t s = 0; s < 5; ++s) {
      const auto names = g.inside("backbone", s);
      scales[s] = x = stage(g, x, 64 << s, counts[s]);
    }
    const auto in = [&](const char* name, auto make) {
      const auto names = g.inside(name);
      return make();
    };
    const value deep = in("pyramid", [&] { return pyramid(g, x); });
    const value up4 = in("up4", [&] { return upwards(g, deep, scales[3], 256); });
    const value up3 = in("up3", [&] { return upwards(g, up4, scales[2], 128); });
    const value down4 = in("down4", [&] { return downwards(g, up3, up4); });
    const value down5 = in("down5", [&] { return downwards(g, down4, deep); });
    const auto head = [&](const char* name, const value& from) {
      const auto names = g.inside(name);
      return g.conv2d("boxes", {.out = 4 * 85, .bias = true}, conv(g, "conv", 2 * from.shape.channels, 3, from));
    };
    return {head("head3", up3), head("head4", down4), head("head5", down5)};
  }
};

}  // namespace zoo::inline TERN_ISA
