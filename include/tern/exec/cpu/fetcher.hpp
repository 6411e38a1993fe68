// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data out of cache: prefetches, and the choice of non-temporal stores.
#pragma once

#include "tern/core/cache_line.hpp"
#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/cpu/non_temporal.hpp"

namespace tern::tile::inline TERN_ISA {

/// Memory to prefetch piece by piece, during other work.
class fetcher {
 public:
  /// Adds `rows` times n elements, from p on, with rows `stride` elements apart. Pieces beyond `most` are left to the
  /// hardware prefetcher.
  template <class T>
  void add(const T* p, index_t n, index_t rows = 1, index_t stride = 0) {
    constexpr index_t bytes = sizeof(T);
    if (pieces_ == most || n <= 0 || rows <= 0) return;
    const index_t lines = (n * bytes + line_bytes - 1) / line_bytes;
    piece_[pieces_++] = {reinterpret_cast<const char*>(p), lines, rows, stride * bytes}, lines_ += lines * rows;
  }
  /// The number of lines left.
  index_t lines() const { return lines_; }
  /// Prefetches the next `count` lines.
  TERN_INLINE void fetch(index_t count) {
    for (lines_ = count < lines_ ? lines_ - count : 0; count > 0 && at_ < pieces_;) {
      piece& now = piece_[at_];
      const index_t left = now.lines - line_, here = count < left ? count : left;
      for (index_t i = 0; i < here; ++i) __builtin_prefetch(now.p + (line_ + i) * line_bytes, 0, 2);
      line_ += here, count -= here;
      if (line_ < now.lines) continue;
      line_ = 0, now.p += now.stride;
      if (--now.rows == 0) ++at_;
    }
  }

 private:
  static constexpr int most = 8;
  struct piece {
    const char* p;
    index_t lines, rows, stride;
  };
  piece piece_[most];
  int pieces_ = 0, at_ = 0;
  index_t lines_ = 0, line_ = 0;
};

/// True if an image of `bytes` bytes gets non-temporal stores: it has at least `memory` bytes, and every whole vector
/// of channels is a cache line.
template <class V, class T>
bool bypasses_caches(const image<T>& to, index_t bytes, index_t memory) {
  constexpr index_t line = line_bytes / sizeof(T);
  if (!has_non_temporal_stores<V> || bytes < memory || !begins_line(to.p)) return false;
  return to.block % V::size == 0 &&
         (to.sample | to.axis[0] | to.axis[1] | to.axis[2] | to.block_stride | to.skipped) % line == 0;
}

}  // namespace tern::tile::inline TERN_ISA
