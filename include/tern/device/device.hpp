// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"

namespace tern {

/// Execution models of machines.
enum class model {
  reference,  ///< plain loops
  simd,       ///< cores with vector units and caches over one memory
  mimd,       ///< many small processors, each with private memory, working in bulk-synchronous supersteps
  simt        ///< blocks of lockstep threads over one memory, launched as a grid
};

/// Vector instruction sets.
enum class isa { scalar, sse2, avx2, avx512, neon64, emulated };

/// A machine as numbers. Devices are constexpr variables (see catalog.hpp) and policies refer to them by name, so that
/// a type prints as `simd<tern::devices::avx2>`. A new machine is a new variable; no kernel changes.
///
/// A unit works independently: a core, a tile, a streaming multiprocessor. 0 means unknown or not applicable; an
/// unknown number limits nothing.
struct device {
  const char* name = "";
  model execution = model::simd;
  isa instructions = isa::scalar;

  int units = 1;              ///< cores, tiles or multiprocessors; 0: all of the machine at run time
  int threads_per_unit = 1;   ///< hardware contexts: threads of a core, workers of a tile, threads on a multiprocessor
  int vector_bytes = 0;       ///< bytes of one load: a vector register, 64 bits of a tile, the 32 lanes of a warp
  int vector_registers = 16;  ///< architectural vector registers; of a GPU, registers of one thread
  double fma_per_cycle = 0;   ///< float32 multiply-adds per cycle and unit, of the faster of vector and matrix unit
  double half_fma_per_cycle =
      0;                     ///< multiply-adds of 16-bit inputs in the matrix unit, at the vendor's published precision
  double clock_hz = 0;       ///< the clock behind the published float32 peak; sustained clock where measured
  double half_clock_hz = 0;  ///< the clock behind the 16-bit peak if it differs; 0: the same

  index_t l1_bytes = 0;  ///< first-level data cache of a unit; of a GPU, including its shared memory
  index_t l2_bytes = 0;  ///< second-level cache, of a unit for CPUs, of the chip for GPUs
  index_t l3_bytes = 0;  ///< last-level cache, shared by the units

  index_t local_bytes = 0;    ///< memory that a program manages: a tile's SRAM, the most shared memory of a block
  index_t program_bytes = 0;  ///< share of local_bytes for code and tables of one op's passes

  index_t memory_bytes = 0;  ///< memory outside the units: of a GPU's card, of a CPU's or IPU's share of a board
  double memory_bytes_per_second = 0;  ///< bandwidth of that memory; of a CPU without `units`, that of one core

  double exchange_bytes_per_cycle = 0;  ///< sent by a tile, and received
  int exchange_setup_cycles = 0;        ///< fixed cost of an exchange phase
  int sync_cycles = 0;                  ///< barrier over all units
  int input_grain = 1;              ///< float32 input channels per step of the matrix unit; twice as many 16-bit ones
  int output_grain = 1;             ///< output channels per step of the matrix unit, in float32
  bool shares_host_memory = false;  ///< for tiles of MIMD machines: they access the caller's memory directly

  double watts = 0;         ///< thermal design power of the chip or card
  double price_usd = 0;     ///< list price at introduction, if published
  const char* source = "";  ///< sources of the numbers

  /// Float32 operations per second of all units, two per multiply-add; of one unit if their number is unknown here.
  TERN_FN constexpr double peak_flops() const { return 2 * fma_per_cycle * clock_hz * (units > 0 ? units : 1); }

  /// 16-bit operations per second, likewise.
  TERN_FN constexpr double half_peak_flops() const {
    return 2 * half_fma_per_cycle * (half_clock_hz > 0 ? half_clock_hz : clock_hz) * (units > 0 ? units : 1);
  }
};

}  // namespace tern
