// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The promises of a policy about bits. docs/numerics.md defines their canonical orders.
#pragma once

#include "tern/core/config.hpp"

namespace tern::numerics {

/// Equal inputs give equal bits under every execution model, instruction set, compiler, layout, thread count, tile
/// partition, batch size and run (NaN payloads excepted).
struct exact {
  static constexpr const char* name = "exact";
};

/// The same bits within one family of matrix instructions.
struct instruction {
  static constexpr const char* name = "instruction";
};

/// A stated tolerance only; still the same bits from run to run.
struct relaxed {
  static constexpr const char* name = "relaxed";
};

}  // namespace tern::numerics
