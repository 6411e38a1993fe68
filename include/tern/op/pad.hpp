// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/config_rules.hpp"
#include "tern/op/resample.hpp"
#include "tern/op/window.hpp"

namespace tern {

/// Configuration of a padding. (Cropping is a view: `part`.)
template <int Rank>
struct pad_config {
  per_axis<Rank> pad = 0;           ///< elements before, by axis
  per_axis<Rank> pad_end = as_pad;  ///< elements after
  border mode = border::constant;

  static constexpr int rank = Rank;
  static constexpr index_t as_pad = -1;  ///< the value of pad_end that means: same as pad
  friend TERN_FN constexpr bool operator==(const pad_config&, const pad_config&) = default;

  /// Elements added after the end of axis r.
  TERN_FN constexpr index_t end(int r) const { return pad_end[r] == as_pad ? pad[r] : pad_end[r]; }
  /// Axis r of a call in which x has `size` elements there.
  TERN_FN constexpr pad_axis axis(int r, index_t size) const { return {size, pad[r], end(r), mode}; }
};
/// Configurations of paddings over 1, 2 and 3 spatial axes.
using pad1d_config = pad_config<1>;
using pad2d_config = pad_config<2>;
using pad3d_config = pad_config<3>;

/// y = x with a border: (n, c, spatial...) becomes (n, c, pad + spatial + pad_end...). A corner element is found axis
/// by axis. (Convolutions and pools have padding of their own.)
template <int Rank, pad_config<Rank> C, element T = float>
struct pad {
  using op_type = pad;
  using value_type = T;
  static constexpr pad_config<Rank> config = C;
  static constexpr int rank = Rank;
  static constexpr const char* name = Rank == 1 ? "pad1d" : Rank == 2 ? "pad2d" : "pad3d";

  static_assert(Rank >= 1 && Rank <= 3, "pad: there are one, two or three spatial axes");

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const pad_config<Rank>& c = C) { return detail::broken_config(c); }
};

/// Paddings of signals (n, c, time), images (n, c, y, x) and volumes (n, c, z, y, x).
template <pad1d_config C, element T = float>
struct pad1d : pad<1, C, T> {};
template <pad2d_config C, element T = float>
struct pad2d : pad<2, C, T> {};
template <pad3d_config C, element T = float>
struct pad3d : pad<3, C, T> {};

/// Configuration of a crop, the block `cropped` of networks.
template <int Rank>
struct crop_config {
  per_axis<Rank> crop = 0;            ///< elements removed from the beginning, by axis
  per_axis<Rank> crop_end = as_crop;  ///< elements removed from the end

  static constexpr int rank = Rank;
  static constexpr index_t as_crop = -1;  ///< the value of crop_end that means: same as crop
  friend TERN_FN constexpr bool operator==(const crop_config&, const crop_config&) = default;

  /// Elements removed from the end of axis r.
  TERN_FN constexpr index_t end(int r) const { return crop_end[r] == as_crop ? crop[r] : crop_end[r]; }
};
/// Configurations of crops over 1, 2 and 3 spatial axes.
using crop1d_config = crop_config<1>;
using crop2d_config = crop_config<2>;
using crop3d_config = crop_config<3>;

/// Option of a padding with border::constant: the padding's number, instead of 0. It must be representable in the
/// element type.
struct padding_value {
  double value = 0;
};

}  // namespace tern
