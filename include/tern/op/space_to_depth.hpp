// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/core/dtype.hpp"
#include "tern/op/config_rules.hpp"
#include "tern/op/window.hpp"

namespace tern {

/// The channel order of a spatial block's elements: element o of B (the last axis fastest) of channel c of C. The names
/// are ONNX's: D is the channel, C and R are the column and row within the block.
enum class depth_order {
  dcr,  ///< to channel o C + c, as in TensorFlow: neighbours stay contiguous, so it is the faster one
  crd   ///< to channel c B + o, as in PyTorch's pixel_shuffle
};

/// The name of the order, for messages and reports.
TERN_FN constexpr const char* name(depth_order d) { return d == depth_order::dcr ? "dcr" : "crd"; }

/// Configuration of a space_to_depth or depth_to_space.
template <int Rank>
struct space_to_depth_config {
  per_axis<Rank> block = 2;  ///< elements of a spatial block, by axis
  depth_order order = depth_order::dcr;

  static constexpr int rank = Rank;
  /// Elements of a block.
  TERN_FN constexpr index_t elements() const {
    index_t n = 1;
    for (index_t b : block.of) n *= b;
    return n;
  }
  friend TERN_FN constexpr bool operator==(const space_to_depth_config&, const space_to_depth_config&) = default;
};
/// Configurations of both ops over 1, 2 and 3 spatial axes.
using space_to_depth1d_config = space_to_depth_config<1>;
using space_to_depth2d_config = space_to_depth_config<2>;
using space_to_depth3d_config = space_to_depth_config<3>;

/// y(n, depth(o, c), p) = x(n, c, p block + offset of o): spatial blocks become channels. (n, c, spatial...) becomes
/// (n, c times the elements of a block, spatial / block...).
template <int Rank, space_to_depth_config<Rank> C, element T = float>
struct space_to_depth {
  using op_type = space_to_depth;
  using value_type = T;
  static constexpr space_to_depth_config<Rank> config = C;
  static constexpr int rank = Rank;
  static constexpr const char* name = Rank == 1   ? "space_to_depth1d"
                                      : Rank == 2 ? "space_to_depth2d"
                                                  : "space_to_depth3d";

  static_assert(Rank >= 1 && Rank <= 3, "space_to_depth: there are one, two or three spatial axes");

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const space_to_depth_config<Rank>& c = C) { return detail::broken_config(c); }
};

/// The inverse of space_to_depth with the same config: channels become spatial blocks.
template <int Rank, space_to_depth_config<Rank> C, element T = float>
struct depth_to_space {
  using op_type = depth_to_space;
  using value_type = T;
  static constexpr space_to_depth_config<Rank> config = C;
  static constexpr int rank = Rank;
  static constexpr const char* name = Rank == 1   ? "depth_to_space1d"
                                      : Rank == 2 ? "depth_to_space2d"
                                                  : "depth_to_space3d";

  static_assert(Rank >= 1 && Rank <= 3, "depth_to_space: there are one, two or three spatial axes");

  /// The first rule that a config breaks; null if it keeps all.
  static constexpr const char* broken_rule(const space_to_depth_config<Rank>& c = C) { return detail::broken_config(c); }
};

/// Both ops on signals (n, c, time), images (n, c, y, x) and volumes (n, c, z, y, x).
template <space_to_depth1d_config C, element T = float>
struct space_to_depth1d : space_to_depth<1, C, T> {};
template <space_to_depth2d_config C, element T = float>
struct space_to_depth2d : space_to_depth<2, C, T> {};
template <space_to_depth3d_config C, element T = float>
struct space_to_depth3d : space_to_depth<3, C, T> {};
template <space_to_depth1d_config C, element T = float>
struct depth_to_space1d : depth_to_space<1, C, T> {};
template <space_to_depth2d_config C, element T = float>
struct depth_to_space2d : depth_to_space<2, C, T> {};
template <space_to_depth3d_config C, element T = float>
struct depth_to_space3d : depth_to_space<3, C, T> {};

}  // namespace tern
