// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a policy promises about bits. docs/numerics.md defines the canonical orders behind the names.
#pragma once

#include "tern/core/config.hpp"

namespace tern::numerics {

/// Equal inputs give equal bits under every execution model, instruction set, compiler, layout, thread count, tile
/// partition, batch size and run (NaN payloads excepted).
struct exact {
  static constexpr const char* name = "exact";
};

/// The same bits within one family of matrix instructions.
struct instruction {
  static constexpr const char* name = "instruction";
};

/// A stated tolerance only; still the same bits from run to run.
struct relaxed {
  static constexpr const char* name = "relaxed";
};

}  // namespace tern::numerics

namespace tern {

/// Where the chain of a dot product is cut (canonical order, docs/numerics.md rules 1 and 2): sums over the elements of
/// a row in chunks of 512, sums over samples in grains of at least 32.
inline constexpr index_t dot_chunk = 512;
inline constexpr index_t sample_grain = 32;

/// How sums over the features of a sample are split (rule 5): lanes, in blocks of features.
inline constexpr index_t feature_lanes = 128;
inline constexpr index_t feature_block = 4096;

/// Samples of a grain: the smallest power of two that brings at least 32 products (docs/numerics.md, rule 2).
TERN_FN constexpr index_t grain_samples(index_t positions) {
  index_t g = 1;
  while (g < sample_grain && g * positions < sample_grain) g *= 2;
  return g;
}

}  // namespace tern
