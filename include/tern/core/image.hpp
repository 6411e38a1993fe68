// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors of samples with channels and three axes, as kernels see them: offsets of elements, and the order of rows and
// positions. Missing axes come first and have size 1.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/operand.hpp"

namespace tern::inline TERN_ISA {

/// Samples with channels and three axes. Channels are contiguous within blocks, which are `block_stride` apart.
template <class T>
struct image {
  T* p = nullptr;
  index_t sample = 0;
  index_t block = 1, block_stride = 0;  ///< channels of a block, and the distance between blocks
  index_t axis[3] = {};                 ///< strides
  index_t skipped = 0;                  ///< elements of missing rows in front of p

  TERN_FN T* at(index_t n, index_t c, index_t z, index_t y, index_t x) const {
    return p + (n * sample + channel(c) + z * axis[0] + y * axis[1] + x * axis[2] - skipped);
  }
  /// The offset of a channel from the first one.
  TERN_FN index_t channel(index_t c) const { return c / block * block_stride + c % block; }
  /// The same image, with channel c as the first.
  TERN_FN image from_channel(index_t c) const {
    image i = *this;
    if (p != nullptr) i.p = p + channel(c);
    return i;
  }
};

/// The number of contiguous channels from `channel` on, at most `most`.
template <class T>
TERN_FN constexpr index_t neighbours(const image<T>& i, index_t channel, index_t most) {
  const index_t room = i.block - channel % i.block;
  return most < room ? most : room;
}

/// Samples with channels and three axes, in any order. Channels are `channel` apart within blocks.
template <class T>
struct scattered_image {
  T* p = nullptr;
  index_t sample = 0;
  index_t channel = 1;
  index_t block = 1, block_stride = 0;  ///< channels of a block, and the distance between blocks
  index_t axis[3] = {};                 ///< strides
  index_t skipped = 0;                  ///< elements of missing rows in front of p

  TERN_FN T* at(index_t n, index_t c, index_t z, index_t y, index_t x) const {
    return p + (n * sample + c / block * block_stride + c % block * channel + z * axis[0] + y * axis[1] + x * axis[2] -
                skipped);
  }
  /// The number of channels c, c + step, ... in the block of c, at most `most`.
  TERN_FN index_t in_block(index_t c, index_t step, index_t most) const {
    const index_t room = (block - c % block - 1) / step + 1;  // a block may be as long as the largest index_t
    return most < room ? most : room;
  }
};

/// Converts an image with contiguous channels.
template <class T>
TERN_FN scattered_image<T> scattered(const image<T>& i) {
  return {i.p, i.sample, 1, i.block, i.block_stride, {i.axis[0], i.axis[1], i.axis[2]}, i.skipped};
}

/// A number per channel, the same for all samples and positions.
template <class T>
TERN_FN scattered_image<T> image_of_channels(const operand<T>& x, index_t channels) {
  return {.p = x.p, .channel = x.row, .block = channels > 0 ? channels : 1};
}

/// The number of equally spaced channels from `channel` on, at most `most`.
template <class T>
TERN_FN index_t neighbours(const scattered_image<T>& i, index_t channel, index_t most) {
  return i.in_block(channel, 1, most);
}

/// A box of samples with three axes.
struct place_box {
  index_t batch = 1;
  index_t extent[3] = {1, 1, 1};

  TERN_FN constexpr index_t positions() const { return extent[0] * extent[1] * extent[2]; }
  TERN_FN constexpr index_t places() const { return batch * positions(); }
};

/// The sample, depth and height of a row, and a step to the next row.
struct row_cursor {
  index_t height, depth;
  index_t n, z, y;

  TERN_FN constexpr row_cursor(index_t row, const index_t (&extent)[2])
      : height(extent[1]), depth(extent[0]), n(row / height / depth), z(row / height % depth), y(row % height) {}
  TERN_FN constexpr void next() {
    if (++y == height) y = 0, ++z;
    if (z == depth) z = 0, ++n;
  }
};

/// Calls f(sample, z, y, x, size) for every piece of a row among `count` positions from `position` on. The integer type
/// I must hold all of these numbers.
template <class I, class F>
TERN_FN void each_row(const I (&extent)[3], index_t n, I position, I count, F f) {
  I x = position % extent[2], y = position / extent[2] % extent[1], z = position / extent[2] / extent[1];
  while (count > 0) {
    const I size = extent[2] - x < count ? extent[2] - x : count;
    f(n, z, y, x, size);
    count -= size, x = 0;
    if (++y == extent[1]) y = 0, ++z;
    if (z == extent[0]) z = 0, ++n;
  }
}

}  // namespace tern::inline TERN_ISA
