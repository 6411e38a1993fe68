// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/device/device.hpp"
#include "tern/policy/numerics.hpp"

namespace tern {

/// Plain loops in the canonical order. "Correct" means what `kernel<Op, reference>` says.
struct reference {
  static constexpr model execution = model::reference;
  using numerics_type = numerics::exact;
  static constexpr const char* name = "reference";
};

}  // namespace tern
