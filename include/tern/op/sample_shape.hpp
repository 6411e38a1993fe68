// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"

namespace tern {

/// The shape of one sample between blocks: features, or channels with up to three spatial axes. Samples are contiguous,
/// in channels-last order. In a stream of reversible blocks a sample is two tensors, one per half of the channels; a
/// batch holds all first halves, then all second halves.
struct sample_shape {
  index_t rank = 0;  ///< spatial axes
  index_t channels = 0;
  index_t extent[3] = {1, 1, 1};  ///< extents of the first `rank` axes
  index_t stream = 0;             ///< 0, or the kind of stream: equal for equal coupling_config

  TERN_FN static constexpr sample_shape features(index_t n) { return {.channels = n}; }
  TERN_FN static constexpr sample_shape signal(index_t channels, index_t length) {
    return {.rank = 1, .channels = channels, .extent = {length, 1, 1}};
  }
  TERN_FN static constexpr sample_shape image(index_t channels, index_t height, index_t width) {
    return {.rank = 2, .channels = channels, .extent = {height, width, 1}};
  }
  TERN_FN static constexpr sample_shape volume(index_t channels, index_t depth, index_t height, index_t width) {
    return {.rank = 3, .channels = channels, .extent = {depth, height, width}};
  }

  TERN_FN constexpr index_t positions() const { return extent[0] * extent[1] * extent[2]; }
  /// Elements of a sample.
  TERN_FN constexpr index_t size() const { return channels * positions(); }
  /// True if every extent is known and at least 1.
  TERN_FN constexpr bool is_static() const {
    return rank >= 0 && rank <= 3 && channels > 0 && extent[0] > 0 && extent[1] > 0 && extent[2] > 0;
  }
  TERN_FN constexpr sample_shape with_channels(index_t c) const {
    sample_shape s = *this;
    s.channels = c;
    return s;
  }
  friend TERN_FN constexpr bool operator==(const sample_shape& a, const sample_shape& b) {
    return a.rank == b.rank && a.channels == b.channels && a.extent[0] == b.extent[0] && a.extent[1] == b.extent[1] &&
           a.extent[2] == b.extent[2] && a.stream == b.stream;
  }

  /// Prints "32x56x56" or "10".
  template <class Stream>
  friend constexpr Stream& operator<<(Stream& out, const sample_shape& s) {
    out << s.channels;
    for (index_t r = 0; r < s.rank; ++r) out << 'x' << s.extent[r];
    return s.stream ? out << " (stream)" : out;
  }
};

}  // namespace tern
