// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Windows for the threads of a block: in 32-bit numbers, and without divisions, which a GPU lacks. The kernels refuse
// calls whose axes, taps or channels need more bits.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/exec/simt/chunks.hpp"
#include "tern/family/contraction/convolution.hpp"
#include "tern/op/window.hpp"

namespace tern::inline TERN_ISA::impl {

/// The sources of a window's taps along one axis of the source tensor: conv_sums::source.
template <conv_pass P>
class source_axis {
 public:
  explicit source_axis(const window_axis& a)
      : size_(static_cast<int>(P == conv_pass::forward ? a.in : a.out)),
        stride_(static_cast<int>(a.stride)),
        dilation_(static_cast<int>(a.dilation)),
        pad_(static_cast<int>(a.pad)),
        by_stride_(by(a.stride)) {}

  /// Less than any argument of `has`, even after adding a position to it.
  static constexpr int none = -(1 << 30);

  /// The source of a tap for the result at a position: outside the tensor on padding, and `none` in a hole of the
  /// stride. For the results of a phase the source advances by source_step each.
  TERN_FN int source(int position, int tap) const {
    if constexpr (P == conv_pass::forward) {
      return position * stride_ - pad_ + tap * dilation_;
    } else {
      const int distance = position + pad_ - tap * dilation_, magnitude = distance < 0 ? -distance : distance;
      const int q = by_stride_.divide(magnitude);
      return q * stride_ != magnitude ? none : distance < 0 ? -q : q;
    }
  }
  TERN_FN bool has(int source) const { return static_cast<unsigned>(source) < static_cast<unsigned>(size_); }

 private:
  int size_, stride_, dilation_, pad_;
  divisor by_stride_;
};

/// One number for each of three axes.
struct point {
  int z, y, x;
};

/// Converts the index of an element in an array of z * y * x to its position.
class unravel {
 public:
  unravel(index_t y, index_t x) : y_(static_cast<int>(y)), x_(static_cast<int>(x)), by_y_(by(y)), by_x_(by(x)) {}

  TERN_FN point operator()(int i) const {
    const int row = by_x_.divide(i), plane = by_y_.divide(row);
    return {plane, row - plane * y_, i - row * x_};
  }

 private:
  int y_, x_;
  divisor by_y_, by_x_;
};

/// Windows along three axes, and their taps in the order of the weights.
template <conv_pass P>
struct source_window {
  source_axis<P> axis[3];
  unravel tap;

  explicit source_window(const conv_shape& s)
      : axis{source_axis<P>(s.axis[0]), source_axis<P>(s.axis[1]), source_axis<P>(s.axis[2])},
        tap(s.axis[1].kernel, s.axis[2].kernel) {}

  TERN_FN point source(point position, point t) const {
    return {axis[0].source(position.z, t.z), axis[1].source(position.y, t.y), axis[2].source(position.x, t.x)};
  }
  /// True if the tap has a source for a result of the phase; below, for this result.
  TERN_FN bool exists(point s) const {
    constexpr int none = source_axis<P>::none;
    return P == conv_pass::forward || (s.z != none && s.y != none && s.x != none);
  }
  TERN_FN bool has(point s) const { return axis[0].has(s.z) && axis[1].has(s.y) && axis[2].has(s.x); }
};

/// The offset of a channel from channel 0: image::at.
class channel_offset {
 public:
  template <class T>
  explicit channel_offset(const image<T>& i)
      : block_(static_cast<int>(i.block)), block_stride_(i.block_stride), by_block_(by(i.block)) {}

  TERN_FN index_t operator()(int channel) const {
    const int b = by_block_.divide(channel);
    return b * block_stride_ + (channel - b * block_);
  }

 private:
  int block_;
  index_t block_stride_;
  divisor by_block_;
};

template <class T>
TERN_FN index_t offset(const image<T>& i, index_t sample, point p) {
  return sample * i.sample + p.z * i.axis[0] + p.y * i.axis[1] + p.x * i.axis[2];
}

/// An offset in weights that have the channels of a group in one block, as all do under simt.
template <class T>
TERN_FN index_t offset(const filters<T>& f, point tap) {
  return tap.z * f.tap[0] + tap.y * f.tap[1] + tap.x * f.tap[2];
}

}  // namespace tern::inline TERN_ISA::impl
