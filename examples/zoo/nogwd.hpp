// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

/// Predicts the drag of non-orographic gravity waves on the wind, for a column of 63 levels.
struct nogwd {
  static constexpr const char* title = "NOGWD emulator";
  static constexpr const char* source = "AI4SIM/model-collection, Apache-2.0 (2022-02)";
  static constexpr sample_shape full = sample_shape::features(191), reduced = full;
  static constexpr index_t parameters = 213118;
  using loss = tern::squared_error<summed>;

  static constexpr value define(graph& g, value x) {
    for (index_t i = 0; i < 3; ++i) {
      const auto names = g.inside("layers", i);
      x = g.matmul("dense", {.n = 256, .bias = true, .act = activation::silu}, x);
    }
    return g.matmul("tendencies", {.n = 126, .bias = true}, x);
  }
};

}  // namespace zoo::inline TERN_ISA
