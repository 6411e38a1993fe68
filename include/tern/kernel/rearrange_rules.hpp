// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape rules of the ops that move elements, and the maps of their passes.
#pragma once

#include "tern/core/config.hpp"
#include "tern/family/index/rearrangement.hpp"
#include "tern/kernel/scattered.hpp"
#include "tern/op/channel_shuffle.hpp"
#include "tern/op/pad.hpp"
#include "tern/op/reorder.hpp"
#include "tern/op/space_to_depth.hpp"
#include "tern/op/upsample.hpp"

namespace tern::inline TERN_ISA::impl {

/// Specialised for every op. `rank` is -1 for any. `result` is the extent of y on an axis, other than that of samples,
/// on which x has `size` elements; -1 rejects the size, and `demand` gives the reason. `map` goes from x to y, or for a
/// permutation from y to x. `axis` exists if gradients are sums.
template <class OpType>
struct moving_rule;

struct permutation_rule {
  static constexpr int rank = -1;
  static constexpr bool adjacent = true, interpolates = false, sums_gradients = false, takes_value = false;
  static constexpr const char* demand = "";
  static constexpr index_t result(int, index_t size) { return size; }
};

template <class T>
struct moving_rule<reorder<T>> : permutation_rule {
  static constexpr bool adjacent = false;
  template <bool Inverse>
  static identity_map map(const image_shape& x, const image_shape&) {
    return {x.extent[2], x.channels};
  }
};

template <channel_shuffle_config C, class T>
struct moving_rule<channel_shuffle<C, T>> : permutation_rule {
  static constexpr const char* demand = ".groups must divide its channels";
  static constexpr index_t result(int axis, index_t size) { return axis == 1 && size % C.groups != 0 ? -1 : size; }
  template <bool Inverse>
  static shuffle_map map(const image_shape& x, const image_shape&) {
    return {x.extent[2], x.channels, Inverse ? x.channels / C.groups : C.groups};
  }
};

template <int Rank, space_to_depth_config<Rank> C>
struct depth_rule : permutation_rule {
  static constexpr int rank = Rank;
  static constexpr space_to_depth_config<Rank> config = C;  // copied as in kernel/pool.hpp

  /// The factor by which the deep tensor has more channels, or fewer positions, along an axis.
  static constexpr index_t factor(int axis) { return axis == 1 ? config.elements() : config.block[axis - 2]; }
  static constexpr index_t quotient(index_t size, index_t divisor) { return size % divisor == 0 ? size / divisor : -1; }

  template <bool ToSpace>
  static depth_map<ToSpace> map_of(const image_shape& deep, const image_shape& wide) {
    const auto block = [](int r) { return r < 3 - Rank ? 1 : config.block[r - 3 + Rank]; };
    return {{block(0), block(1), block(2)}, config.order, deep.extent[2], wide.channels};
  }
};
template <int Rank, space_to_depth_config<Rank> C, class T>
struct moving_rule<space_to_depth<Rank, C, T>> : depth_rule<Rank, C> {
  using rule = depth_rule<Rank, C>;
  static constexpr const char* demand = "its extents must be multiples of .block";
  static constexpr index_t result(int axis, index_t size) {
    return axis == 1 ? size * rule::factor(1) : rule::quotient(size, rule::factor(axis));
  }
  template <bool Inverse>
  static auto map(const image_shape& x, const image_shape& y) {
    return rule::template map_of<Inverse>(y, x);
  }
};
template <int Rank, space_to_depth_config<Rank> C, class T>
struct moving_rule<depth_to_space<Rank, C, T>> : depth_rule<Rank, C> {
  using rule = depth_rule<Rank, C>;
  static constexpr const char* demand = "its channels must be a multiple of the elements of a .block";
  static constexpr index_t result(int axis, index_t size) {
    return axis == 1 ? rule::quotient(size, rule::factor(1)) : size * rule::factor(axis);
  }
  template <bool Inverse>
  static auto map(const image_shape& x, const image_shape& y) {
    return rule::template map_of<!Inverse>(x, y);
  }
};

/// Ops whose axes are gathered from sources. Missing axes are left alone.
template <int Rank, auto Config, class Axis, class Map>
struct sources_rule : permutation_rule {
  static constexpr int rank = Rank;
  static constexpr bool sums_gradients = true;
  static constexpr auto C = Config;  // copied as in kernel/pool.hpp
  using axis_type = Axis;

  static constexpr index_t result(int axis, index_t size) { return axis == 1 ? size : C.axis(axis - 2, size).out(); }
  static constexpr Axis axis(int r, index_t size) { return r < 3 - Rank ? Axis{} : C.axis(r - 3 + Rank, size); }
  template <bool Inverse>
  static Map map(const image_shape& x, const image_shape&) {
    return {{axis(0, x.extent[0]), axis(1, x.extent[1]), axis(2, x.extent[2])}, x.channels};
  }
};
template <int Rank, upsample_config<Rank> C, class T>
struct moving_rule<upsample<Rank, C, T>> : sources_rule<Rank, C, upsample_axis, repeat_map> {
  static constexpr bool interpolates = C.mode != interpolation::nearest;
};
template <int Rank, pad_config<Rank> C, class T>
struct moving_rule<pad<Rank, C, T>> : sources_rule<Rank, C, pad_axis, pad_map> {
  static constexpr bool takes_value = C.mode == border::constant;
  static constexpr index_t least = takes_value ? 0 : C.mode == border::reflect ? 2 : 1;
  static constexpr const char* demand = least > 1 ? "an axis that is reflected must have at least 2 elements"
                                                  : "there must be an element to be put around the others";
  static constexpr index_t result(int axis, index_t size) {
    const index_t results = moving_rule::sources_rule::result(axis, size);
    return results > size && axis > 1 && size < least ? -1 : results;
  }
};

}  // namespace tern::inline TERN_ISA::impl
