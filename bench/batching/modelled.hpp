// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modelled cost of layouts and batches of convolutions on machines that are not available.
#pragma once

#include <string>
#include <vector>

#include "tern/core/config.hpp"

namespace tern::bench {

/// A training step (all three passes) of a layer on a machine, with images in a layout and a number of them per call.
struct modelled_case {
  std::string device, row, layout;
  index_t samples = 0;
  bool chosen = false;  ///< by layout_for and training_batch_for
  double seconds = 0;   ///< for the whole batch
};

/// The batch that is cut.
inline constexpr index_t modelled_batch = 256;

/// Every workload of convolutions, on every device with a model, in every layout and cut of the batch that fits.
///
/// Tile machines: cycles of the plans of the calls. A plan takes images in the matrix unit's groups; others are
/// rearranged when they are read and when they are written, as PopLibs' planner charges it (graphcore/poplibs at
/// 7eac0f26, lib/poplin/ConvPlan.cpp). Channels that fill a group up travel with the others.
///
/// GPUs: blocks of threads run in waves over the multiprocessors, at the peak of multiply-adds; a pass takes at least
/// as long as memory needs for reading its operands and writing its result once. Planes are reordered: read and written
/// once more. No launch is charged, since no source gives its cost.
std::vector<modelled_case> modelled_cases();

}  // namespace tern::bench
