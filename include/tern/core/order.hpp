// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constants of the canonical orders of sums (docs/numerics.md, rules 1, 2 and 5), and the chunks that follow from
// them.
#pragma once

#include "tern/core/config.hpp"

namespace tern {

/// Products of a whole chunk, and of the smallest whole grain (docs/numerics.md, rules 1 and 2).
inline constexpr index_t dot_chunk = 512;
inline constexpr index_t sample_grain = 32;

/// The lanes of a sum over the features of a sample, and the features of a block (rule 5).
inline constexpr index_t feature_lanes = 128;
inline constexpr index_t feature_block = 4096;

/// Samples of a grain: the smallest power of two with at least 32 products (docs/numerics.md, rule 2).
TERN_FN constexpr index_t grain_samples(index_t positions) {
  index_t g = 1;
  while (g < sample_grain && g * positions < sample_grain) g *= 2;
  return g;
}

}  // namespace tern

namespace tern::inline TERN_ISA {

/// A chunk of a sum over samples and positions: its start and length.
struct sample_chunk {
  index_t n, position, count;
};
/// Calls f(sample, position, count) with the start and length of every chunk of a sum over samples and positions.
TERN_CALLS_BACK
template <class F>
TERN_HD void each_chunk(index_t batch, const index_t (&extent)[3], F f) {
  const index_t positions = extent[0] * extent[1] * extent[2], grain = grain_samples(positions);
  for (index_t n = 0; n < batch; n += grain) {
    const index_t end = (batch - n < grain ? batch - n : grain) * positions;
    for (index_t k = 0; k < end; k += dot_chunk)
      f(n + k / positions, k % positions, end - k < dot_chunk ? end - k : dot_chunk);
  }
}

/// The number of chunks that each_chunk visits, and the i-th of them.
TERN_FN constexpr index_t chunks_of(index_t batch, index_t positions) {
  const index_t grain = grain_samples(positions);
  const auto chunks = [positions](index_t samples) { return (samples * positions + dot_chunk - 1) / dot_chunk; };
  return batch / grain * chunks(grain) + chunks(batch % grain);
}
TERN_FN constexpr sample_chunk chunk_at(index_t batch, index_t positions, index_t i) {
  const index_t grain = grain_samples(positions), of_grain = (grain * positions + dot_chunk - 1) / dot_chunk;
  const index_t n = i / of_grain * grain, k = i % of_grain * dot_chunk,
                end = (batch - n < grain ? batch - n : grain) * positions;
  return {n + k / positions, k % positions, end - k < dot_chunk ? end - k : dot_chunk};
}

}  // namespace tern::inline TERN_ISA
