// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/config_rules.hpp"
#include "tern/op/resample.hpp"
#include "tern/op/window.hpp"

namespace tern {

/// Configuration of an upsampling.
template <int Rank>
struct upsample_config {
  per_axis<Rank> factor = 2;  ///< outputs per input, by axis
  interpolation mode = interpolation::nearest;

  static constexpr int rank = Rank;
  friend TERN_FN constexpr bool operator==(const upsample_config&, const upsample_config&) = default;

  /// Axis r of a call in which x has `size` elements there.
  TERN_FN constexpr upsample_axis axis(int r, index_t size) const { return {size, factor[r], mode}; }
};
/// Configurations of upsamplings over 1, 2 and 3 spatial axes.
using upsample1d_config = upsample_config<1>;
using upsample2d_config = upsample_config<2>;
using upsample3d_config = upsample_config<3>;

/// y = x with more elements: (n, c, spatial...) becomes (n, c, spatial times factor...). Axes are separable: linear
/// modes of several axes are bilinear and trilinear.
template <int Rank, upsample_config<Rank> C, element T = float>
struct upsample {
  using op_type = upsample;
  using value_type = T;
  static constexpr upsample_config<Rank> config = C;
  static constexpr int rank = Rank;
  static constexpr const char* name = Rank == 1 ? "upsample1d" : Rank == 2 ? "upsample2d" : "upsample3d";

  static_assert(Rank >= 1 && Rank <= 3, "upsample: there are one, two or three spatial axes");

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const upsample_config<Rank>& c = C) { return detail::broken_config(c); }
};

/// Upsamplings of signals (n, c, time), images (n, c, y, x) and volumes (n, c, z, y, x).
template <upsample1d_config C, element T = float>
struct upsample1d : upsample<1, C, T> {};
template <upsample2d_config C, element T = float>
struct upsample2d : upsample<2, C, T> {};
template <upsample3d_config C, element T = float>
struct upsample3d : upsample<3, C, T> {};

}  // namespace tern
