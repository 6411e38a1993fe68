// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Written by tern-import from pairs.onnx.
#pragma once

#include <tern/blocks.hpp>
#include <tern/simd.hpp>

namespace pairs_functions {

struct exponential {
  static constexpr const char* name = "exponential";
  static constexpr tern::index_t operations = 20;
  template <class V>
  TERN_FN V operator()(V a) const {
    using tern::math::exp;
    return exp(a);
  }
};

struct absolute {
  static constexpr const char* name = "absolute";
  template <class V>
  TERN_FN V operator()(V a) const {
    using tern::math::abs;
    return abs(a);
  }
};

}  // namespace pairs_functions

/// The layers of pairs. Tensors lie in memory in this order, the last axis next to each other:
///   x: samples, height 7, width 6, 2 channels
///   pool (y): samples, height 1, width 1, 4 channels, a result
struct pairs_layers {
  using exponential_block = tern::map_of<pairs_functions::exponential>;
  using absolute_block = tern::map_of<pairs_functions::absolute>;
  using blocks = tern::block_list<exponential_block, absolute_block>;

  static constexpr tern::value define(tern::graph& g, tern::value x) {
    const auto left = g.conv2d("left", {.out = 6, .kernel = 3, .pad = 1, .bias = true}, x);
    const auto right = g.conv2d("right", {.out = 6, .kernel = 3, .pad = 1, .bias = true}, x);
    const auto difference = g.subtract("difference", left, right);
    const auto tanh = g.activate("tanh", tern::activation::tanh, right);
    const auto exp = g.block<exponential_block>("exp", tanh);
    const auto quotient = g.divide("quotient", difference, exp);
    const auto minimum = g.minimum("minimum", quotient, left);
    const auto maximum = g.maximum("maximum", minimum, right);
    const auto maximum_2 = g.maximum("maximum_2", maximum, difference);
    const auto abs = g.block<absolute_block>("abs", maximum_2);
    const auto joined = g.conv2d("joined", {.out = 4, .kernel = 3, .bias = true, .act = tern::activation::relu6}, abs);
    const auto pool = g.global_avg_pool("pool", joined);
    return pool;
  }
};

/// tern::load_safetensors("pairs.safetensors", tern::tensors_of<pairs<>>(parameters, statistics)) has its weights.
template <class Policy = tern::simd<>>
using pairs = tern::network<pairs_layers, tern::sample_shape::image(2, 7, 6), Policy>;
