// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

struct cifar10_cnn : classifier<32, 32> {
  static constexpr const char* title = "CIFAR-10 CNN";
  static constexpr const char* source = "cifar10_cnn.py of the examples of Keras 2, MIT";
  static constexpr index_t parameters = 642570;

  static constexpr value conv(graph& g, const char* name, index_t out, padding rule, const value& x) {
    return g.conv2d(name, {.out = out, .kernel = 3, .rule = rule, .bias = true, .act = activation::relu}, x);
  }
  static constexpr value define(graph& g, value x) {
    constexpr index_t widths[] = {32, 64};
    for (index_t i = 0; i < 2; ++i) {
      const auto names = g.inside("stages", i);
      x = conv(g, "conv1", widths[i], padding::same_tf, x);
      x = conv(g, "conv2", 32, padding::valid, x);
      x = g.max_pool2d("pool", {.kernel = 2, .stride = 2}, x);
      x = g.dropout("drop", 25, x);
    }
    x = g.matmul("dense", {.n = 512, .bias = true, .act = activation::relu}, g.flatten(x));
    return g.matmul("classes", {.n = 10, .bias = true}, g.dropout("drop", 50, x));
  }
};

}  // namespace zoo::inline TERN_ISA
