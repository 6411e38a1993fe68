// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slabs of a convolution's sums: like those of a contraction (chunks.hpp), they never cross the end of a chunk.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/exec/simt/chunks.hpp"
#include "tern/family/contraction/convolution.hpp"

namespace tern::inline TERN_ISA::impl {

/// A slab of a sum over taps and channels: `channels` channels of one tap, or all channels of `taps` taps, tap by tap.
struct tap_slab {
  int tap, taps;
  int channel, channels;
  bool ends_chunk;
};

/// The slabs of such a sum, in its order (docs/numerics.md, "by taps of C channels").
class tap_slabs {
 public:
  constexpr tap_slabs(index_t taps, index_t channels, int block_k)
      : taps_(taps, chunks_of(channels).taps, channels < block_k ? block_k / static_cast<int>(channels) : 1),
        channels_(channels, chunks_of(channels).channels, block_k),
        by_tap_(static_cast<std::uint32_t>(channels_.count())),
        by_channels_(static_cast<std::uint32_t>(channels)) {}

  TERN_FN constexpr index_t count() const { return taps_.count() * channels_.count(); }

  TERN_FN constexpr tap_slab operator[](int i) const {
    const int t = by_tap_.divide(i);
    const slab_range taps = taps_[t], channels = channels_[i - t * static_cast<int>(channels_.count())];
    return {static_cast<int>(taps.first), taps.steps, static_cast<int>(channels.first), channels.steps,
            taps.ends_chunk && channels.ends_chunk};
  }

  /// Step k of a slab: its tap, counted from the slab's first, and its channel. Steps after the last have the last tap.
  struct step {
    int tap, channel;
  };
  TERN_FN constexpr step step_of(const tap_slab& r, int k) const {
    const int quotient = by_channels_.divide(k), tap = quotient < r.taps ? quotient : r.taps - 1;
    return {tap, r.channel + k - tap * r.channels};
  }

 private:
  chunked_slabs taps_, channels_;
  divisor by_tap_, by_channels_;
};

}  // namespace tern::inline TERN_ISA::impl
