// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the views of a call to images in any layout, with the checks that every model shares.
#pragma once

#include <type_traits>

#include "tern/core/config.hpp"
#include "tern/core/contract.hpp"
#include "tern/core/image.hpp"
#include "tern/core/layout.hpp"
#include "tern/core/layout_channels.hpp"
#include "tern/family/index/rearrangement.hpp"
#include "tern/kernel/images.hpp"
#include "tern/kernel/operands.hpp"

namespace tern::inline TERN_ISA::impl {

/// Sizes of a tensor (sample, channel, up to three spatial axes); axes that it lacks come first and have size 1.
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
  constexpr int first = 5 - View::rank;  // of the three axes that there is
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

/// Checks that `v` is a tensor (sample, channel, spatial...) of T, and gives its image.
/// \tparam Adjacent  whether channels must be next to each other
template <class T, bool Adjacent, class View>
TERN_INLINE scattered_image<T> scattered_operand(const char* op, const char* name, const View& v) {
  using mapping = typename View::mapping_type;
  constexpr bool of_type = std::is_same_v<std::remove_const_t<typename View::element_type>, std::remove_const_t<T>>,
                 writable = std::is_const_v<T> || !std::is_const_v<typename View::element_type>,
                 in_layout = strided_mapping<mapping> || channel_block<mapping> > 0;
  static_assert(of_type, "images: every tensor must have the element type of the op");
  static_assert(writable, "images: the output must be a view of elements that are not const");
  static_assert(in_layout, "images: the layout of every tensor must be channels last, channel-blocked or strided");
  static_assert(
      !Adjacent || !std::is_same_v<typename View::layout_type, layout_row> || View::extents_type::static_extent(1) == 1,
      "rearrangement: channels must be next to each other: tern::reorder brings them there");
  if constexpr (of_type && writable && in_layout) {
    if (v.data() == nullptr && v.size() > 0) null_violation(op, name, v);
    const scattered_image<T> i = places_of<T>(v);
    if (Adjacent && v.extent(1) > 1 && i.channel != 1)
      violation("%s: %s has stride %td between channels: they must be next to each other", op, name, i.channel);
    return i;
  } else {
    return {};  // one error is enough
  }
}

/// Gives a call the sizes of a tensor (sample, channel, spatial...).
template <class Call, class View>
TERN_INLINE void set_sizes(Call& q, const View& v) {
  const image_shape s = shape_of(v);
  q.batch = s.batch, q.channels = s.channels;
  for (int r = 0; r < 3; ++r) q.extent[r] = s.extent[r];
}
/// A tensor of the sizes of a call, dense and channels last, which is only planned.
template <class T, class Call>
scattered_image<const T> planned_image(const Call& q) {
  scattered_image<const T> i{.channel = 1, .block = q.channels > 0 ? q.channels : 1};
  i.axis[2] = q.channels, i.axis[1] = i.axis[2] * q.extent[2], i.axis[0] = i.axis[1] * q.extent[1];
  i.sample = i.axis[0] * q.extent[0];
  return i;
}
/// Of a tensor with the sizes s that is repeated along axes where its stride is 0: the elements that there are.
template <class T>
TERN_INLINE image_shape distinct_elements(const scattered_image<T>& i, image_shape s) {
  if (i.sample == 0 && s.batch > 1) s.batch = 1;
  for (int r = 0; r < 3; ++r)
    if (i.axis[r] == 0 && s.extent[r] > 1) s.extent[r] = 1;
  return s;
}

/// The same image, whose channels are next to each other.
template <class T>
TERN_INLINE image<T> adjacent(const scattered_image<T>& s) {
  image<T> i{.p = s.p, .sample = s.sample, .block = s.block, .block_stride = s.block_stride};
  for (int r = 0; r < 3; ++r) i.axis[r] = s.axis[r];
  return i;
}

template <class T>
TERN_INLINE bool same_place(const scattered_image<const T>& a, const scattered_image<T>& b) {
  return a.channel == b.channel && same_place(adjacent(a), adjacent(b));
}

template <class T>
TERN_INLINE interval_set intervals_of(const scattered_image<T>& i, const image_shape& s) {
  interval_set b;
  b.add(i.channel, s.channels < i.block ? s.channels : i.block);
  b.add(i.block_stride, s.channels <= i.block ? 1 : (s.channels + i.block - 1) / i.block);
  for (int r = 2; r >= 0; --r) b.add(i.axis[r], s.extent[r]);
  b.add(i.sample, s.batch);
  b.begin_at(i.p);
  return b;
}

}  // namespace tern::inline TERN_ISA::impl
