// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What each op that moves elements does to shapes, and the maps of its passes.
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

/// Specialised for every op: `rank` (-1: any), `demand` (what a wrong x must be, or null), `result` (the shape of y),
/// `map` from x to y, and `inverse` (of a permutation) or `axis` (where gradients are sums).
template <class OpType>
struct moving_rule;

struct permutation_rule {
  static constexpr int rank = -1;
  static constexpr bool adjacent = true, interpolates = false, sums_gradients = false, takes_value = false;
  static const char* demand(const image_shape&) { return nullptr; }
};

template <class T>
struct moving_rule<reorder<T>> : permutation_rule {
  static constexpr bool adjacent = false;
  static image_shape result(const image_shape& x) { return x; }
  static identity_map map(const image_shape& x) { return {x.extent[2], x.channels}; }
  static identity_map inverse(const image_shape& x) { return map(x); }
};

template <channel_shuffle_config C, class T>
struct moving_rule<channel_shuffle<C, T>> : permutation_rule {
  static const char* demand(const image_shape& x) {
    return x.channels % C.groups == 0 ? nullptr : ".groups must divide its channels";
  }
  static image_shape result(const image_shape& x) { return x; }
  static shuffle_map map(const image_shape& x) { return {x.extent[2], x.channels, C.groups}; }
  static shuffle_map inverse(const image_shape& x) { return {x.extent[2], x.channels, x.channels / C.groups}; }
};

/// A per_axis of an op as one of three axes.
template <int Rank>
constexpr index_t of_three(const per_axis<Rank>& a, int r) {
  return r < 3 - Rank ? 1 : a[r - 3 + Rank];
}

template <int Rank, space_to_depth_config<Rank> C>
struct depth_rule : permutation_rule {
  static constexpr int rank = Rank;
  static constexpr space_to_depth_config<Rank> config = C;  // as in kernel/pool.hpp

  static constexpr index_t block(int r) { return of_three(config.block, r); }
  template <bool ToSpace>
  static depth_map<ToSpace> map_of(index_t width, index_t channels) {
    return {{block(0), block(1), block(2)}, config.order, width, channels};
  }
};
template <int Rank, space_to_depth_config<Rank> C, class T>
struct moving_rule<space_to_depth<Rank, C, T>> : depth_rule<Rank, C> {
  static const char* demand(const image_shape& x) {
    for (int r = 0; r < 3; ++r)
      if (x.extent[r] % moving_rule::block(r) != 0) return "its extents must be multiples of .block";
    return nullptr;
  }
  static image_shape result(image_shape x) {
    x.channels *= C.elements();
    for (int r = 0; r < 3; ++r) x.extent[r] /= moving_rule::block(r);
    return x;
  }
  static auto map(const image_shape& x) { return moving_rule::template map_of<false>(result(x).extent[2], x.channels); }
  static auto inverse(const image_shape& x) {
    return moving_rule::template map_of<true>(result(x).extent[2], x.channels);
  }
};
template <int Rank, space_to_depth_config<Rank> C, class T>
struct moving_rule<depth_to_space<Rank, C, T>> : depth_rule<Rank, C> {
  static const char* demand(const image_shape& x) {
    return x.channels % C.elements() == 0 ? nullptr : "its channels must be a multiple of the elements of a .block";
  }
  static image_shape result(image_shape x) {
    x.channels /= C.elements();
    for (int r = 0; r < 3; ++r) x.extent[r] *= moving_rule::block(r);
    return x;
  }
  static auto map(const image_shape& x) { return moving_rule::template map_of<true>(x.extent[2], result(x).channels); }
  static auto inverse(const image_shape& x) {
    return moving_rule::template map_of<false>(x.extent[2], result(x).channels);
  }
};

/// Ops whose axes are made of sources. Axes that the op lacks are left alone.
template <int Rank, auto C, class Axis>
struct sources_rule : permutation_rule {
  static constexpr int rank = Rank;
  static constexpr bool sums_gradients = true;
  using axis_type = Axis;

  static Axis axis(int r, index_t size) { return r < 3 - Rank ? Axis{} : C.axis(r - 3 + Rank, size); }
  static image_shape result(image_shape x) {
    for (int r = 0; r < 3; ++r) x.extent[r] = axis(r, x.extent[r]).out();
    return x;
  }
};
template <int Rank, upsample_config<Rank> C, class T>
struct moving_rule<upsample<Rank, C, T>> : sources_rule<Rank, C, upsample_axis> {
  static constexpr bool interpolates = C.mode != interpolation::nearest;
  static repeat_map map(const image_shape& x) {
    const auto axis = [&](int r) { return moving_rule::axis(r, x.extent[r]); };
    return {{axis(0), axis(1), axis(2)}, x.channels};
  }
};
template <int Rank, pad_config<Rank> C, class T>
struct moving_rule<pad<Rank, C, T>> : sources_rule<Rank, C, pad_axis> {
  static constexpr bool takes_value = C.mode == border::constant;
  static const char* demand(const image_shape& x) {
    for (int r = 0; r < 3; ++r) {
      const pad_axis a = moving_rule::axis(r, x.extent[r]);
      if (a.before + a.after == 0 || a.mode == border::constant) continue;
      if (a.in < 1) return "there must be an element to be put around the others";
      if (a.mode == border::reflect && a.in < 2) return "an axis that is reflected must have at least 2 elements";
    }
    return nullptr;
  }
  static pad_map map(const image_shape& x) {
    const auto axis = [&](int r) { return moving_rule::axis(r, x.extent[r]); };
    return {{axis(0), axis(1), axis(2)}, x.channels};
  }
};

}  // namespace tern::inline TERN_ISA::impl
