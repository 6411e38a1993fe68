// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors whose elements are those of another one, rearranged. A map gives, for every row of the result, the source
// rows of its elements, in equal steps along the last axis and the channels.
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/op/resample.hpp"
#include "tern/op/space_to_depth.hpp"

namespace tern::inline TERN_ISA {

/// Positions `to`, to + to_step, ... of a result, and their sources.
struct walk {
  index_t count, to, to_step, from, from_step;
};
TERN_FN constexpr walk straight(index_t count, index_t to = 0, index_t from = 0) { return {count, to, 1, from, 1}; }

/// Elements of a row of a result: the row of the input, and walks along it and the channels.
struct row_part {
  index_t z, y;  ///< z = -1: a constant value without an input
  walk x, channels;
};

// Maps: parts(z, y) is the number of parts in row (z, y) of the result, part(z, y, i) one of them.

/// The identity, for copies.
struct identity_map {
  index_t width, channels;

  TERN_FN constexpr index_t parts(index_t, index_t) const { return 1; }
  TERN_FN constexpr row_part part(index_t z, index_t y, index_t) const {
    return {z, y, straight(width), straight(channels)};
  }
};

/// Upsampling by repetition.
struct repeat_map {
  upsample_axis axis[3];
  index_t channels;

  TERN_FN constexpr index_t parts(index_t, index_t) const { return axis[2].factor; }
  TERN_FN constexpr row_part part(index_t z, index_t y, index_t i) const {
    return {z / axis[0].factor, y / axis[1].factor, {axis[2].in, i, axis[2].factor, 0, 1}, straight(channels)};
  }
};

/// Padding.
struct pad_map {
  pad_axis axis[3];
  index_t channels;

  /// The input, and every element around it; or a row of values.
  TERN_FN constexpr index_t parts(index_t z, index_t y) const {
    return axis[0].sources(z).first < 0 || axis[1].sources(y).first < 0 ? 1 : axis[2].before + 1 + axis[2].after;
  }
  TERN_FN constexpr row_part part(index_t z, index_t y, index_t i) const {
    const index_t sz = axis[0].sources(z).first, sy = axis[1].sources(y).first;
    const pad_axis& a = axis[2];
    if (sz < 0 || sy < 0) return {-1, -1, straight(a.out()), straight(channels)};
    if (i == a.before) return {sz, sy, straight(a.in, a.before), straight(channels)};
    const index_t x = i < a.before ? i : i - 1 + a.in, sx = a.sources(x).first;
    if (sx < 0) return {-1, -1, straight(1, x), straight(channels)};
    return {sz, sy, straight(1, x, sx), straight(channels)};
  }
};

/// Channels into spatial blocks (ToSpace), and back.
template <bool ToSpace>
struct depth_map {
  index_t block[3];
  depth_order order;
  index_t width;     ///< of the tensor with more channels
  index_t channels;  ///< of the other one

  TERN_FN constexpr index_t elements() const { return block[0] * block[1] * block[2]; }

  /// One part for every column of a block, or for every element.
  TERN_FN constexpr index_t parts(index_t, index_t) const { return ToSpace ? block[2] : elements(); }
  TERN_FN constexpr row_part part(index_t z, index_t y, index_t i) const {
    const index_t o = ToSpace ? (z % block[0] * block[1] + y % block[1]) * block[2] + i : i, column = o % block[2];
    const bool dcr = order == depth_order::dcr;
    const index_t deep = dcr ? o * channels : o, step = dcr ? 1 : elements();
    if constexpr (ToSpace)
      return {z / block[0], y / block[1], {width, column, block[2], 0, 1}, {channels, 0, 1, deep, step}};
    else
      return {z * block[0] + o / block[2] / block[1],
              y * block[1] + o / block[2] % block[1],
              {width, 0, 1, column, block[2]},
              {channels, deep, step, 0, 1}};
  }
};

/// Channel shuffle: the channels of every group become `groups` apart.
struct shuffle_map {
  index_t width, channels, groups;

  TERN_FN constexpr index_t parts(index_t, index_t) const { return groups; }
  TERN_FN constexpr row_part part(index_t z, index_t y, index_t g) const {
    const index_t of_group = channels / groups;
    return {z, y, straight(width), {of_group, g, groups, g * of_group, 1}};
  }
};

/// to = elements of from, or its old value plus these.
template <class T, class Map, bool Accumulate>
struct rearrangement {
  using value_type = T;
  static constexpr bool accumulate = Accumulate;

  index_t batch = 0;
  index_t extent[3] = {};  ///< of the result
  index_t channels = 0;    ///< of the result
  index_t from_extent[3] = {};
  index_t from_channels = 0;
  scattered_image<const T> from;
  scattered_image<T> to;
  Map map{};
  T value{};  ///< for elements without an input

  /// Calls f(n, z, y, part) for the parts of rows [first, last) of the result, counted over samples, depth and height.
  TERN_CALLS_BACK
  template <class F>
  TERN_HD void each_part(index_t first, index_t last, F f) const {
    if (first == last) return;
    row_cursor row(first, {extent[0], extent[1]});
    for (index_t r = first; r < last; ++r, row.next())
      for (index_t i = 0, parts = map.parts(row.z, row.y); i < parts; ++i)
        f(row.n, row.z, row.y, map.part(row.z, row.y, i));
  }
  TERN_FN constexpr index_t rows() const { return extent[2] > 0 ? batch * extent[0] * extent[1] : 0; }
  TERN_FN constexpr index_t row_elements() const { return extent[2] * channels; }
};

}  // namespace tern::inline TERN_ISA
