// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A made-up tile machine: 16 tiles of a GC200, with the memory that a test gives them.
#pragma once

#include "tern/device/device.hpp"

namespace tern::test {

inline constexpr device few_tiles{.name = "few_tiles",
                                  .execution = model::mimd,
                                  .units = 16,
                                  .threads_per_unit = 6,
                                  .vector_bytes = 8,
                                  .fma_per_cycle = 16,
                                  .local_bytes = 1 << 23,
                                  .exchange_bytes_per_cycle = 4,
                                  .exchange_setup_cycles = 100,
                                  .sync_cycles = 90,
                                  .input_grain = 8,
                                  .output_grain = 8};

}  // namespace tern::test
