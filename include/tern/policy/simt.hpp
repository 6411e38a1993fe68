// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/device/catalog.hpp"
#include "tern/device/device.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/policy/simt_tuning.hpp"

namespace tern {

/// Blocks of lockstep threads over one memory, launched as a grid.
/// \tparam D         the machine; its numbers choose the tiles
/// \tparam Numerics  numerics::exact; numerics::relaxed is accepted and gives the same bits
/// \tparam Tuning    stateless callable (device, element size, problem_size) -> simt_tuning
///
/// The run-time state of a call selects its place: `simt_host` (the default: loops on the calling thread) or, in CUDA
/// files that include tern/simt.cuh, `simt_stream`.
template <const device& D = devices::h200, class Numerics = numerics::exact, class Tuning = tuning::simt_automatic>
struct simt {
  static_assert(D.execution == model::simt, "simt: the device must be a SIMT machine (device.execution)");
  static constexpr model execution = model::simt;
  static constexpr const device& machine = D;
  using numerics_type = Numerics;
  using tuning_type = Tuning;
  static constexpr const char* name = "simt";
};

}  // namespace tern
