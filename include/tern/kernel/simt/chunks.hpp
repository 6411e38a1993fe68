// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the slabs of a contraction lie on k: chunks are cut into slabs of at most `block_k` steps, so no slab crosses the
// end of a chunk.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"

namespace tern::inline TERN_ISA::impl {

/// Division of numbers in [0, 2^31) by one fixed d in [1, 2^31), as a multiplication and a shift: a GPU needs some 20
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

}  // namespace tern::inline TERN_ISA::impl
