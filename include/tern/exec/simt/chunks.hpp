// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The slabs of a contraction along k: chunks are cut into slabs of at most `block_k` steps, so no slab crosses the end
// of a chunk.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/order.hpp"

namespace tern::inline TERN_ISA::impl {

/// Division of numbers in [0, 2^31) by a fixed d in [1, 2^31), as a multiplication and a shift: a GPU needs about 20
/// instructions for a division. With l = ceil(log2 d) and factor = ceil(2^(31 + l) / d) the error n * (factor * d -
/// 2^(31 + l)) is below 2^(31 + l), so the quotient is exact [Granlund and Montgomery 1994, doi 10.1145/178243.178249].
class divisor {
 public:
  constexpr explicit divisor(std::uint32_t d) {
    while ((std::uint64_t{1} << (shift_ - 31)) < d) ++shift_;
    factor_ = static_cast<std::uint32_t>(((std::uint64_t{1} << shift_) + d - 1) / d);
  }
  TERN_FN constexpr int divide(int n) const {
    return static_cast<int>((static_cast<std::uint64_t>(static_cast<std::uint32_t>(n)) * factor_) >> shift_);
  }

 private:
  std::uint32_t factor_ = 0;
  int shift_ = 31;
};

/// One slab: steps [first, first + steps) of k.
struct slab_range {
  index_t first;
  int steps;
  bool ends_chunk;
};

/// The slabs of a whole contraction, in ascending k.
class chunked_slabs {
 public:
  /// \param chunk  at least 1
  constexpr chunked_slabs(index_t k, index_t chunk, int block_k)
      : k_(k),
        chunk_(chunk < k ? chunk
               : k > 0   ? k
                         : 1),
        block_k_(block_k),
        per_chunk_(static_cast<int>((chunk_ + block_k - 1) / block_k)),
        by_chunk_(static_cast<std::uint32_t>(per_chunk_)),
        count_(k / chunk_ * per_chunk_ + (k % chunk_ + block_k - 1) / block_k) {}

  TERN_FN constexpr index_t count() const { return count_; }

  TERN_FN constexpr slab_range operator[](int i) const {
    const int c = by_chunk_.divide(i);
    const index_t begin = c * chunk_, first = begin + static_cast<index_t>(i - c * per_chunk_) * block_k_;
    const index_t end = k_ - begin < chunk_ ? k_ : begin + chunk_;
    const index_t left = end - first;
    return {first, left < block_k_ ? static_cast<int>(left) : block_k_, left <= block_k_};
  }

 private:
  index_t k_, chunk_;
  int block_k_, per_chunk_;
  divisor by_chunk_;
  index_t count_;
};

/// Bounds on 32-bit extents and positions that leave room for their sums and differences.
inline constexpr index_t most_per_axis = 1 << 29;
inline constexpr index_t most_positions = 1 << 30;

inline divisor by(index_t d) { return divisor(static_cast<std::uint32_t>(d > 0 ? d : 1)); }

/// A slab of a sum over samples and positions: `steps` from a position of a sample on, into the following samples.
struct sample_slab {
  index_t sample;
  int position;
  int steps;
  bool ends_chunk;
};

/// The slabs of such a sum, in its order (docs/numerics.md, "by grains"). With block_k = dot_chunk they are its chunks.
class sample_slabs {
 public:
  /// \param positions  of a sample; less than 2^30
  constexpr sample_slabs(index_t batch, index_t positions, int block_k)
      : batch_(positions > 0 ? batch : 0),
        positions_(static_cast<int>(positions > 0 ? positions : 1)),
        grain_(static_cast<int>(grain_samples(positions_))),
        of_grain_(index_t{1} * grain_ * positions_, dot_chunk, block_k),
        by_grain_(static_cast<std::uint32_t>(of_grain_.count())),
        by_positions_(static_cast<std::uint32_t>(positions_)),
        count_(batch_ / grain_ * of_grain_.count() +
               chunked_slabs(batch_ % grain_ * positions_, dot_chunk, block_k).count()) {}

  TERN_FN constexpr index_t count() const { return count_; }

  TERN_FN constexpr sample_slab operator[](int i) const {
    const int grain = by_grain_.divide(i);
    const slab_range r = of_grain_[i - grain * static_cast<int>(of_grain_.count())];
    const index_t sample = index_t{1} * grain * grain_, samples = batch_ - sample < grain_ ? batch_ - sample : grain_;
    const int first = static_cast<int>(r.first), left = static_cast<int>(samples) * positions_ - first;
    const int skipped = by_positions_.divide(first);
    return {sample + skipped, first - skipped * positions_, left < r.steps ? left : r.steps,
            r.ends_chunk || left <= r.steps};
  }

 private:
  index_t batch_;
  int positions_, grain_;
  chunked_slabs of_grain_;
  divisor by_grain_, by_positions_;
  index_t count_;
};

}  // namespace tern::inline TERN_ISA::impl
