// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"

namespace tern {

/// How a machine runs a kernel.
enum class model {
  reference,  ///< plain loops
  simd,       ///< cores with vector units and caches over one memory
  mimd,       ///< many small processors, each with private memory, working in bulk-synchronous supersteps
  simt        ///< blocks of lockstep threads over one memory, launched as a grid
};

/// The vector instructions of a core.
enum class isa { scalar, sse2, avx2, avx512, neon64, emulated };

/// A machine as numbers. Devices are constexpr variables (see catalog.hpp) and policies refer to them by name, so that
/// a type prints as `simd<tern::devices::avx2>`. A new machine is a new variable; no kernel changes.
///
/// A unit is what works by itself: a core, a tile, a streaming multiprocessor. 0 means unknown or not applicable.
struct device {
  const char* name = "";
  model execution = model::simd;
  isa instructions = isa::scalar;
  int units = 1;               ///< cores, tiles or multiprocessors
  int threads_per_unit = 1;    ///< hardware contexts: worker threads of a tile, resident threads of a multiprocessor
  int vector_bytes = 0;        ///< width of a vector register, or of a load of one thread
  int vector_registers = 16;   ///< architectural vector registers
  double fma_per_cycle = 0;    ///< float32 multiply-adds per cycle and unit, vector or matrix unit whichever is faster
  double clock_hz = 0;         ///< sustained clock
  index_t l1_bytes = 0;        ///< first-level data cache of a unit
  index_t l2_bytes = 0;        ///< second-level cache, of a unit for CPUs, of the chip for GPUs
  index_t l3_bytes = 0;        ///< last-level cache, shared by the units
  index_t local_bytes = 0;     ///< memory a program places data in: a tile's SRAM, a block's shared memory
  index_t memory_bytes = 0;    ///< main memory
  double memory_bytes_per_second = 0;
  double exchange_bytes_per_cycle = 0;  ///< a tile sends or receives
  int sync_cycles = 0;                  ///< barrier over all units
  int exchange_setup_cycles = 0;        ///< fixed cost of an exchange phase
  int input_grain = 1;                  ///< input channels the matrix unit takes at once
  int output_grain = 1;                 ///< output channels the matrix unit gives at once
  bool shares_host_memory = false;      ///< units read and write the caller's memory directly
  double watts = 0;                     ///< thermal design power of the chip or card
  double price_usd = 0;                 ///< list price at introduction, where published
  const char* source = "";              ///< where the numbers come from
};

}  // namespace tern
