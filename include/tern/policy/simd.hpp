// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/device/catalog.hpp"
#include "tern/device/device.hpp"
#include "tern/policy/numerics.hpp"
#include "tern/policy/tuning.hpp"

namespace tern {

/// Cores with vector units over one memory.
/// \tparam D         the machine; `devices::native` is the target of this translation unit
/// \tparam Numerics  numerics::exact or numerics::relaxed
/// \tparam Tuning    stateless callable (device, shape) -> contraction_tuning
template <const device& D = devices::native, class Numerics = numerics::exact, class Tuning = tuning::automatic>
struct simd {
  static_assert(D.execution == model::simd, "simd: the device must be a SIMD machine (device.execution)");
  static constexpr model execution = model::simd;
  static constexpr const device& machine = D;
  using numerics_type = Numerics;
  using tuning_type = Tuning;
  static constexpr const char* name = "simd";
};

}  // namespace tern
