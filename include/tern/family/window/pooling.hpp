// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pools: maxima and averages of windows of an image. There are always three spatial axes; missing ones come first and
// have size 1.
#pragma once

#include <cstdint>

#include "tern/core/config.hpp"
#include "tern/core/image.hpp"
#include "tern/op/pool.hpp"
#include "tern/op/window.hpp"

namespace tern::inline TERN_ISA {

/// Sizes of one call.
struct pool_shape {
  index_t batch = 0, channels = 0;
  window_axis axis[3] = {{}, {}, {}};
  bool count_padding = false;
  index_t fixed_divisor = 0;  ///< 0: the number of counted taps

  TERN_FN constexpr index_t taps() const { return axis[0].kernel * axis[1].kernel * axis[2].kernel; }
  /// Positions of the result.
  TERN_FN constexpr index_t positions() const { return axis[0].out * axis[1].out * axis[2].out; }
  /// The position of an input, counted over the axes: the index of a maximum.
  TERN_FN constexpr index_t position(index_t z, index_t y, index_t x) const {
    return (z * axis[1].in + y) * axis[2].in + x;
  }
  /// The divisor of a window's sum in an average; 0 if it has no taps.
  TERN_FN constexpr index_t divisor(index_t z, index_t y, index_t x) const {
    return fixed_divisor > 0 ? fixed_divisor : counted(0, z) * counted(1, y) * counted(2, x);
  }
  /// The number of taps that an average counts along an axis.
  TERN_FN constexpr index_t counted(int r, index_t result) const {
    const window_axis& a = axis[r];
    if (count_padding) return a.taps_before(result, a.in + a.pad_end);
    const window_axis::range inside = a.taps_inside(result);
    return inside.last - inside.first;
  }
};

/// y = maxima or averages of the windows of x; on demand the indices of maxima.
template <class T, pool_kind K, bool Indices>
struct pool_values {
  using value_type = T;
  static constexpr pool_kind kind = K;
  static constexpr bool has_indices = Indices;

  pool_shape shape;
  image<const T> x = {};
  image<T> y = {};
  image<std::int32_t> indices = {};
};

/// The inputs of a window with a share of its gradient: all of them equally, or the maximum, by a given index or by
/// search.
enum class pool_shares { all, given, found };

/// dx = the sums over all windows of an input's shares of dy.
template <class T, pool_shares S, bool Accumulate>
struct pool_gradient {
  using value_type = T;
  static constexpr pool_shares shares = S;
  static constexpr bool accumulate = Accumulate;

  pool_shape shape;
  image<const T> dy = {};
  image<const std::int32_t> indices = {};  ///< for given indices
  image<const T> x = {};                   ///< for a search
  image<T> dx = {};
};

}  // namespace tern::inline TERN_ISA
