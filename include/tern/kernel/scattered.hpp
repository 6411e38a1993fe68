// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of views to images in any layout.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/kernel/images.hpp"

namespace tern::inline TERN_ISA::impl {

/// Sizes of a tensor (sample, channel, up to three spatial axes); missing axes come first and have size 1.
struct image_shape {
  index_t batch = 0, channels = 0;
  index_t extent[3] = {1, 1, 1};

  friend constexpr bool operator==(const image_shape&, const image_shape&) = default;
};
template <class View>
TERN_INLINE image_shape shape_of(const View& v) {
  image_shape s{v.extent(0), v.extent(1)};
  for (int r = 2; r < View::rank; ++r) s.extent[3 - View::rank + r] = v.extent(r);
  return s;
}

/// A tensor (sample, channel, spatial...) as an image. Checks nothing.
template <class T, class View>
TERN_INLINE scattered_image<T> places_of(const View& v) {
  using mapping = typename View::mapping_type;
  constexpr int first = 5 - View::rank;  // the first existing one of the three axes
  scattered_image<T> i{.p = v.data()};
  if constexpr (channel_block < mapping >> 0) {
    i.block = channel_block<mapping>;
    index_t stride = i.block;
    for (int r = View::rank - 1; r >= 2; --r) i.axis[first - 2 + r] = stride, stride *= v.extent(r);
    i.block_stride = stride;
    i.sample = stride * v.mapping().blocks();
  } else {
    i.channel = v.stride(1);
    i.block = v.extent(1) > 0 ? v.extent(1) : 1;
    for (int r = 2; r < View::rank; ++r) i.axis[first - 2 + r] = v.stride(r);
    i.sample = v.stride(0);
  }
  return i;
}

/// Sets the sizes of a call from a tensor (sample, channel, spatial...).
template <class Call, class View>
TERN_INLINE void set_sizes(Call& q, const View& v) {
  const image_shape s = shape_of(v);
  q.batch = s.batch, q.channels = s.channels;
  for (int r = 0; r < 3; ++r) q.extent[r] = s.extent[r];
}
/// A tensor of the sizes of a planned call, dense and channels last.
template <class T, class Call>
scattered_image<const T> planned_image(const Call& q) {
  scattered_image<const T> i{.channel = 1, .block = q.channels > 0 ? q.channels : 1};
  i.axis[2] = q.channels, i.axis[1] = i.axis[2] * q.extent[2], i.axis[0] = i.axis[1] * q.extent[1];
  i.sample = i.axis[0] * q.extent[0];
  return i;
}
}  // namespace tern::inline TERN_ISA::impl
