// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The taps of a window in an image.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/order.hpp"
#include "tern/family/window/pooling.hpp"

namespace tern::tile::inline TERN_ISA {

/// The taps of one window on inputs, in order, as lists of one chunk each. Lists are relative to the window, so windows
/// with the same taps share them. For windows of several chunks the latest list is kept.
template <class T>
class window_taps {
 public:
  /// \param i  starts at the first channel of interest
  window_taps(const pool_shape& s, const image<T>& i)
      : shape_(s), image_(i), chunks_((s.taps() + dot_chunk - 1) / dot_chunk) {}

  /// Moves to the window of a result. Keeps taps in certain rows of the sample, counted over depth and height.
  TERN_INLINE void move_to(index_t n, index_t oz, index_t oy, index_t ox, const window_axis::range* rows = nullptr) {
    const window_axis* a = shape_.axis;
    const index_t z = a[0].input(oz, 0), y = a[1].input(oy, 0), x = a[2].input(ox, 0), row = z * a[1].in + y;
    at_ = n * image_.sample + z * image_.axis[0] + y * image_.axis[1] + x * image_.axis[2] - image_.skipped;
    position_ = shape_.position(z, y, x);
    box now{{a[0].taps_inside(oz), a[1].taps_inside(oy), a[2].taps_inside(ox)}, {}};
    if (rows != nullptr) {
      const index_t first = row + now.inside[0].first * a[0].dilation * a[1].in + now.inside[1].first * a[1].dilation;
      const index_t last =
          row + (now.inside[0].last - 1) * a[0].dilation * a[1].in + (now.inside[1].last - 1) * a[1].dilation;
      now.partial = first < rows->first || last >= rows->last;
      if (now.partial) now.rows = {rows->first - row, rows->last - row};
    }
    if (!(now == box_)) box_ = now, made_ = -1;
  }

  /// A tap: offset in elements and positions from tap 0 of the whole window, which may be on padding.
  struct tap {
    index_t at;
    index_t position;
  };
  struct list {
    const tap* first;
    index_t count;
  };
  TERN_INLINE index_t chunks() const { return chunks_; }
  TERN_INLINE list chunk(index_t i) {
    if (i != made_) make(i);
    return {taps_, count_};
  }
  /// True if there are any taps.
  bool any() {
    for (index_t i = 0; i < chunks_; ++i)
      if (chunk(i).count > 0) return true;
    return false;
  }
  /// Tap 0 of the window: its offset in elements from `origin`, and its position. Both may be negative.
  TERN_INLINE index_t at() const { return at_; }
  TERN_INLINE index_t position() const { return position_; }
  TERN_INLINE T* origin() const { return image_.p; }

 private:
  /// The properties that distinguish lists.
  struct box {
    window_axis::range inside[3] = {};
    window_axis::range rows = {};  ///< relative to that of tap 0
    bool partial = false;
    friend constexpr bool operator==(const box&, const box&) = default;
  };

  __attribute__((noinline)) void make(index_t chunk) {
    const window_axis* a = shape_.axis;
    const index_t begin = chunk * dot_chunk, width = a[2].kernel, height = a[1].kernel, taps = shape_.taps(),
                  end = taps - begin < dot_chunk ? taps : begin + dot_chunk;
    const window_axis::range &zs = box_.inside[0], &ys = box_.inside[1], &xs = box_.inside[2];
    count_ = 0, made_ = chunk;
    index_t tz = begin / width / height, ty = begin / width % height;
    for (index_t row = begin / width * width; row < end; row += width) {
      const index_t z = tz * a[0].dilation, y = ty * a[1].dilation, here = z * a[1].in + y;
      const bool there = tz >= zs.first && tz < zs.last && ty >= ys.first && ty < ys.last &&
                         (!box_.partial || (here >= box_.rows.first && here < box_.rows.last));
      const index_t last = end - row < xs.last ? end - row : xs.last;
      if (there)
        for (index_t t = begin - row > xs.first ? begin - row : xs.first; t < last; ++t) {
          const index_t x = t * a[2].dilation;
          taps_[count_++] = {z * image_.axis[0] + y * image_.axis[1] + x * image_.axis[2], shape_.position(z, y, x)};
        }
      if (++ty == height) ty = 0, ++tz;
    }
  }

  const pool_shape& shape_;
  image<T> image_;
  index_t chunks_;
  index_t at_ = 0, position_ = 0;
  box box_;
  index_t made_ = -1, count_ = 0;
  tap taps_[dot_chunk];
};

/// Calls f(first, count) for each run of results with the same taps: the interior at once, border results one by one.
template <class F>
TERN_INLINE void each_run(const window_axis& a, const window_axis::range& inside, F f) {
  for (index_t x = 0, count; x < a.out; x += count) {
    count = x >= inside.first && x < inside.last ? inside.last - x : 1;
    f(x, count);
  }
}

}  // namespace tern::tile::inline TERN_ISA
