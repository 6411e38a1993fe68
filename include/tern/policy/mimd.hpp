// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/catalog.hpp"
#include "tern/device/device.hpp"
#include "tern/policy/numerics.hpp"

namespace tern {

/// The tiles and memory available to a program.
struct tile_resources {
  index_t tiles = 1;
  index_t bytes_per_tile = 0;
};

/// The number of parts along each dimension of a contraction. 0 leaves the choice to the planner.
struct tile_split {
  index_t batch = 0, m = 0, n = 0, k = 0;

  TERN_FN constexpr index_t count() const { return batch * m * n * k; }
  friend TERN_FN constexpr bool operator==(const tile_split&, const tile_split&) = default;
};

/// The partition of the contraction family on a tile machine.
struct tile_tuning {
  tile_split tiles;         ///< parts on different tiles; .batch is always the planner's
  tile_split steps;         ///< parts that one tile computes in turn
  double memory_share = 1;  ///< share of a tile's memory for one call

  friend TERN_FN constexpr bool operator==(const tile_tuning&, const tile_tuning&) = default;
};

namespace tuning {

/// Leaves every choice to the planner.
struct tiles {
  TERN_FN constexpr tile_tuning operator()(const device&, int) const { return {}; }
};

}  // namespace tuning

/// Many small processors, each with private memory, working in supersteps. Calls take a tern::tile_machine as their
/// first argument.
/// \tparam D         the machine; `devices::native_tiles` are the cores of the host, a tile each
/// \tparam Numerics  numerics::exact cuts sums at chunk boundaries only and folds them in order (the bits of the
///                   reference); numerics::relaxed cuts them anywhere and folds them as a fixed tree
/// \tparam Tuning    stateless callable (device, element bytes) -> tile_tuning
template <const device& D = devices::native_tiles, class Numerics = numerics::exact, class Tuning = tuning::tiles>
struct mimd {
  static_assert(D.execution == model::mimd, "mimd: the device must be a tile machine (device.execution)");
  static constexpr model execution = model::mimd;
  static constexpr const device& machine = D;
  using numerics_type = Numerics;
  using tuning_type = Tuning;
  static constexpr const char* name = "mimd";
};

}  // namespace tern
