// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "common.hpp"

namespace zoo::inline TERN_ISA {

/// How two drugs in some doses act on a cell line. The drugs share their encoders.
struct uno {
  static constexpr const char* title = "CANDLE Uno";
  static constexpr const char* source = "ECP-CANDLE/Benchmarks, Pilot1/Uno, MIT";
  /// Expression of genes, both doses, and of each drug descriptors and fingerprints.
  static constexpr std::array full = {sample_shape::features(942),  sample_shape::features(2),
                                      sample_shape::features(5270), sample_shape::features(2048),
                                      sample_shape::features(5270), sample_shape::features(2048)};
  static constexpr std::array reduced = full;
  static constexpr index_t parameters = 21275001;

  /// The same layers for another input.
  static constexpr value layers_again(graph& g, const value (&like)[3], value x) {
    for (const value& l : like) x = g.again("again", l, x);
    return x;
  }
  static constexpr value define(graph& g, value genes, value doses, value descriptors1, value prints1,
                                value descriptors2, value prints2) {
    const auto encode = [&](const char* name, value x, value* made) {
      const auto names = g.inside(name);
      constexpr const char* dense[] = {"dense0", "dense1", "dense2"};
      for (int i = 0; i < 3; ++i)
        made[i] = x = g.matmul(dense[i], {.n = 1000, .bias = true, .act = activation::relu}, x);
      return x;
    };
    value of_genes[3], of_descriptors[3], of_prints[3], of_all[3];
    genes = encode("genes", genes, of_genes);
    descriptors1 = encode("descriptors", descriptors1, of_descriptors);
    prints1 = encode("fingerprints", prints1, of_prints);
    descriptors2 = layers_again(g, of_descriptors, descriptors2);
    prints2 = layers_again(g, of_prints, prints2);
    const value all = g.concat("join", {genes, doses, descriptors1, prints1, descriptors2, prints2});
    return g.matmul("growth", {.n = 1, .bias = true}, encode("response", all, of_all));
  }
};

}  // namespace zoo::inline TERN_ISA
