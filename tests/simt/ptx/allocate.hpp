// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tests/simt/ptx/program.hpp"

namespace ptx {

/// Gives registers that are never in use at the same time one place. PTX has a register for every value, thousands in
/// an unrolled kernel; with a few hundred the registers of a warp stay in the caches, and kernels run several times
/// faster. Constants and special registers keep places of their own.
void allocate_registers(kernel& k);

}  // namespace ptx
