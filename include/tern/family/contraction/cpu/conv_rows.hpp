// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts the rows of a convolution's result into tiles of pixels with runs: addresses are computed once for all rows with
// all taps.
#pragma once

#include <cstddef>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/core/order.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/family/contraction/cpu/runs.hpp"
#include "tern/op/window.hpp"

namespace tern::tile::inline TERN_ISA {

/// A tap by its index.
struct tap_index {
  index_t z, y, x;
  tap_index(const conv_shape& s, index_t t)
      : z(t / s.axis[2].kernel / s.axis[1].kernel),
        y(t / s.axis[2].kernel % s.axis[1].kernel),
        x(t % s.axis[2].kernel) {}
};

/// The meaning of a vector's lanes: channels of a panel, channels of several groups, or four channels of several
/// pixels.
enum class conv_lanes : unsigned char { panel, groups, pixels };

/// A range of source elements. No defaults, as for runs.
template <class T>
struct source_range {
  const T *begin, *end;
};

/// Results that are computed together: neighbouring channels of a group.
template <class T>
struct conv_panel {
  index_t channel, columns;  ///< first channel, counted over all groups, and their number
  index_t to;                ///< offset of that in a pixel of the result
  bool in_place;             ///< sums are stored in the result, not in a buffer
  const T* b;                ///< weights
};

/// A part of a call's work: columns [j0, j1) of a group, one chunk of their sums, and its weights: in place (null), or
/// arranged as one panel.
template <class T>
struct conv_chunk {
  index_t group, j0, j1;
  index_t tap, taps;          ///< first tap, and number of taps
  index_t channel, channels;  ///< of each tap
  bool first, last;           ///< first and last chunk of all
  index_t b_row;              ///< distance between rows of weights
  const T* arranged = nullptr;
  conv_lanes lanes = conv_lanes::panel;
  bool out_of_cache = false;        ///< results are out of cache: prefetched before they are stored
  index_t may_miss = most_missing;  ///< pixels at an end of a tile
  source_range<T> readable = {};    ///< sources that may be read even if unused; null: only used ones
  static constexpr index_t most_panels = 8;
  index_t panels = 0;
  conv_panel<T> panel[most_panels] = {};
};

/// The taps of a row's tiles in the part's sums: those with a source, and its address.
template <class Sums>
struct row_window {
  using T = typename Sums::value_type;
  struct tap_row {
    index_t z, y;  ///< of the source
    const T* p;    ///< its first pixel
    index_t tap_x, taps;
    index_t k;  ///< index of the first tap in the part
  };
  using tap_range = typename Sums::tap_range;

  const Sums& q;
  const conv_chunk<T>& part;
  const result_row& row;
  index_t channel;  ///< the first summed channel
  bool one_piece;   ///< channels are contiguous
  window_axis::range all;
  index_t used = 0;
  tap_row rows[dot_chunk];
  tap_range ranges[dot_chunk];

  row_window(const Sums& sums, const conv_chunk<T>& w, const result_row& r)
      : q(sums),
        part(w),
        row(r),
        channel(w.group * q.summed() + w.channel),
        one_piece(neighbours(q.from, channel, w.channels) == w.channels),
        all{0, q.pixels(2, r.phase)} {
    const index_t kx = q.shape.axis[2].kernel, ky = q.shape.axis[1].kernel;
    for (index_t t = 0; t < kx; ++t) {
      const tap_range one = q.range_of(2, row.phase, t);
      if (t < dot_chunk) ranges[t] = one;
      if (one.first == one.last) continue;
      if (one.first > all.first) all.first = one.first;
      if (one.last < all.last) all.last = one.last;
    }
    index_t z = part.tap / kx / ky, y = part.tap / kx % ky, x = part.tap % kx;
    for (index_t t = 0, size; t < part.taps; t += size, x = 0) {
      size = kx - x < part.taps - t ? kx - x : part.taps - t;
      const index_t sz = q.source(0, row.z, z), sy = q.source(1, row.y, y);
      if (sz >= 0 && sy >= 0) rows[used++] = {sz, sy, q.from.at(row.n, channel, sz, sy, 0), x, size, t * part.channels};
      if (++y == ky) y = 0, ++z;
    }
  }
  /// True if a tap is on padding for the first pixels of the row and for the last: a run of both would miss it twice.
  bool misses_at_both_ends() const {
    for (index_t t = 0; t < q.shape.axis[2].kernel; ++t) {
      const tap_range range = range_of(t);
      if (range.first < range.last && range.first > 0 && range.last < q.pixels(2, row.phase)) return true;
    }
    return false;
  }
  tap_range range_of(index_t tap) const { return tap < dot_chunk ? ranges[tap] : q.range_of(2, row.phase, tap); }

  /// The pixel from x on at which the set of taps changes.
  index_t same_taps(index_t x, index_t end) const {
    for (index_t t = 0; t < q.shape.axis[2].kernel; ++t) {
      const tap_range range = range_of(t);
      if (range.first > x && range.first < end) end = range.first;
      if (range.last > x && range.last < end) end = range.last;
    }
    return end;
  }

  /// Finds the runs of pixels x to x + height - 1, in the order of the sum, joining contiguous ones. Returns their
  /// number, or -1 if a tap is on padding for more pixels than a run can express.
  index_t find_runs(index_t x, index_t height, chain_run<T>* runs) const {
    index_t found = 0;
    const auto add = [&](const T* p, index_t b, index_t size, run_rows which) {
      chain_run<T>& before = runs[found > 0 ? found - 1 : 0];
      // Tiles of groups process the steps of one tap at a time.
      const bool may_join = found > 0 && part.lanes != conv_lanes::groups;
      if (may_join && before.rows == which && before.a + before.k == p && before.b + before.k * part.b_row == b)
        before.k += size;
      else
        runs[found++] = {p, b, size, which};
    };
    const index_t step = q.source_step(2), pixel = q.from.axis[2];
    for (index_t r = 0; r < used; ++r) {
      const tap_row& at = rows[r];
      for (index_t t = 0, k = at.k; t < at.taps; ++t, k += part.channels) {
        const tap_range range = range_of(at.tap_x + t);
        if (range.last <= x || range.first >= x + height) continue;
        const index_t missing = range.first > x ? range.first - x : 0,
                      after = range.last < x + height ? x + height - range.last : 0;
        if (missing > part.may_miss || after > part.may_miss) return -1;
        if (missing > 0 && after > 0 && part.lanes != conv_lanes::pixels) return -1;
        const run_rows which = rows_without(missing, after);
        const index_t sx = range.source + (x + missing) * step;
        if (one_piece) {
          add(at.p + sx * pixel, k * part.b_row, part.channels, which);
          continue;
        }
        for (index_t c = 0, size; c < part.channels; c += size) {
          size = neighbours(q.from, channel + c, part.channels - c);
          add(q.from.at(row.n, channel + c, at.z, at.y, sx), (k + c) * part.b_row, size, which);
        }
      }
    }
    return found;
  }
};

/// Rows of a kind have the same taps: they differ only in the origin of their sources. `place` is -1 - phase if every
/// tap of the phase has a source, else the position.
struct row_kind {
  index_t phase = -1;
  index_t place[2] = {};  ///< along depth and height
  index_t step[2] = {};   ///< offset from the sources of place 0 of the phase, not compared

  friend constexpr bool operator==(const row_kind& a, const row_kind& b) {
    return a.phase == b.phase && a.place[0] == b.place[0] && a.place[1] == b.place[1];
  }
};

/// Every phase of rows [first, last) of a result, counted over samples, depth and height: rows of a kind are
/// consecutive, as far as the order of positions allows. For range-based for.
class alike_rows {
 public:
  template <class Sums>
  alike_rows(const Sums& q, index_t first, index_t last)
      : first_(first),
        last_(last),
        depth_(q.extent(0)),
        height_(q.extent(1)),
        phases_(q.extent(2) < q.result_step(2) ? q.extent(2) : q.result_step(2)),
        step_{q.result_step(0), q.result_step(1)} {}

  class iterator {
   public:
    explicit iterator(const alike_rows& all) : all_(&all), at_{0, 0, 0, 0} {
      if (all.depth_ == 0 || all.height_ == 0 || all.phases_ == 0)
        at_.phase = all.phases_;
      else
        find_sample();
    }
    const result_row& operator*() const { return at_; }
    iterator& operator++() {
      ++at_.n;
      if (row() >= all_->last_) next_position(), find_sample();
      return *this;
    }
    /// True while there are more rows.
    bool operator!=(std::nullptr_t) const { return at_.phase < all_->phases_; }

   private:
    index_t row() const { return (at_.n * all_->depth_ + at_.z) * all_->height_ + at_.y; }
    /// Moves to the first sample with a row at this position, or to the next position that has one.
    void find_sample() {
      for (; at_.phase < all_->phases_; next_position()) {
        const index_t of_sample = all_->depth_ * all_->height_, position = at_.z * all_->height_ + at_.y;
        at_.n = all_->first_ > position ? (all_->first_ - position + of_sample - 1) / of_sample : 0;
        if (row() < all_->last_) return;
      }
    }
    void next_position() {
      if (next(at_.y, all_->height_, all_->step_[1]) || next(at_.z, all_->depth_, all_->step_[0])) return;
      ++at_.phase;
    }
    /// Moves to the next position along an axis, phase by phase; after the last one returns to position 0, and returns
    /// false.
    static bool next(index_t& position, index_t extent, index_t step) {
      if (position + step < extent) return position += step, true;
      position = position % step + 1;
      if (position < step && position < extent) return true;
      return position = 0, false;
    }

    const alike_rows* all_;
    result_row at_;
  };
  iterator begin() const { return iterator(*this); }
  static std::nullptr_t end() { return nullptr; }

 private:
  index_t first_, last_, depth_, height_, phases_, step_[2];
};

/// The tiles of a row and their runs.
template <class T>
struct row_pieces {
  struct piece {
    index_t x, height;        ///< pixels
    index_t first, used;      ///< runs
    index_t shift;            ///< offset in elements from the origin of the runs
    source_range<T> sources;  ///< of the first pixel in all runs, as if it missed none; only for pixels in lanes
  };
  static constexpr index_t most_pieces = 64, most_runs = 2 * dot_chunk;

  const T* base = nullptr;  ///< origin of the row that it was made for; null: only that row may use it
  row_kind kind;
  window_axis::range inside[2];  ///< positions along depth and height with all taps, if every position is of phase 0
  index_t pieces = 0, runs_used = 0;
  piece list[most_pieces];
  chain_run<T> runs[most_runs];

  /// True if there is room for another piece.
  bool has_room() const { return pieces < most_pieces && runs_used + dot_chunk <= most_runs; }
};

}  // namespace tern::tile::inline TERN_ISA
