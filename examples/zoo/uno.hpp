// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

/// Predicts the effect of two drugs, in given doses, on a cell line. The drugs share their encoders.
struct uno {
  static constexpr const char* title = "CANDLE Uno";
  static constexpr const char* source = "ECP-CANDLE/Benchmarks, Pilot1/Uno, MIT";
  /// Gene expression, both doses, and for each drug descriptors and fingerprints.
  static constexpr std::array full = {sample_shape::features(942),  sample_shape::features(2),
                                      sample_shape::features(5270), sample_shape::features(2048),
                                      sample_shape::features(5270), sample_shape::features(2048)};
  static constexpr std::array reduced = full;
  static constexpr index_t parameters = 21275001;

  static constexpr value define(graph& g, value genes, value doses, value descriptors1, value prints1,
                                value descriptors2, value prints2) {
    const auto layers = [&](value x) {
      constexpr const char* dense[] = {"dense0", "dense1", "dense2"};
      for (const char* name : dense) x = g.matmul(name, {.n = 1000, .bias = true, .act = activation::relu}, x);
      return x;
    };
    const auto encode = [&](const char* name, const value& x) { return g.shared(name, x, layers); };
    const value all = g.concat(
        "join", {encode("genes", genes), doses, encode("descriptors", descriptors1), encode("fingerprints", prints1),
                 encode("descriptors", descriptors2), encode("fingerprints", prints2)});
    return g.matmul("growth", {.n = 1, .bias = true}, encode("response", all));
  }
};

}  // namespace zoo::inline TERN_ISA
