// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tern's catalogue of devices, as numbers; docs/devices.md shows them as a table and says how to add one. Every group
// of numbers names its source; numbers without a source stay 0. Derived numbers name their origin.
//
// [AMP]    graphcore/poplibs @ 7eac0f26: lib/poplin (planner and cycle estimates); first version (2016), net.hpp
// [ALCF]   Graphcore's slides at the Argonne Leadership Computing Facility (Bow, 2022)
// [BOW]    Bow-2000 data sheet, docs.graphcore.ai/projects/bow-2000-datasheet
// [CCCL]   NVIDIA/cccl @ efee2cf6: libcudacxx/include/cuda/__device/arch_traits.h (limits of compute capabilities)
// [CIT]    Citadel report on the IPU, arXiv:1912.03413
// [CTC]    graphcore/poplibs @ 7eac0f26: lib/popnn/CTCLossPlan.cpp (constants checked against execution traces)
// [GKL]    glennklockwood.com: pages on A100 and H100
// [H2]     openmetal.io and geektopia.es on the H200; its clock: hmc-tech.com
// [HANLON] J. Hanlon, New chips for machine intelligence (2019), jameshanlon.com
// [IBM]    IBM Redbooks on the Power S822 and S822LC; clock and memory rate: anandtech.com/show/10230
// [JIA]    Z. Jia et al., Dissecting the NVIDIA Volta GPU architecture via microbenchmarking, arXiv:1804.06826
// [LM]     T. Louw, S. McIntosh-Smith, Using the Graphcore IPU for traditional HPC applications (2021)
// [MK2]    Graphcore, Hot Chips 2021 (tiles, threads, memory); IPU-POD64 data sheet, docs.graphcore.ai (peaks)
// [MODEL]  PMC10448217, table 3 (L2 sizes of A100 and H100)
// [PEARC]  Benchmarking the Performance of Accelerators on National Cyberinfrastructure Resources for AI/ML
//          Workloads, PEARC '22
// [REQ]    sysrqmts.com: pages on T4, Quadro RTX 6000 and A100
// [V100]   NVIDIA Tesla V100 white paper WP-08608-001 v1.1 and data sheet (March 2018)
// [ZEN]    measured by this project in November 2026 on 2-core virtual machines, AMD EPYC of family 25 (Zen 4) and 26
//          (Zen 5): FMA and read loops, one thread
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"

namespace tern::devices {

namespace detail {
inline constexpr index_t KiB = 1024;
inline constexpr index_t MiB = 1024 * KiB;
inline constexpr index_t GB = 1'000'000'000;  // memory chips are sold in GB or GiB: the smaller is assumed

/// Lower bounds on the caches of every core of the last ten years, for instruction sets, which are not machines.
inline constexpr index_t default_l1 = 32 * KiB;
inline constexpr index_t default_l2 = 512 * KiB;
}  // namespace detail

// --- SIMD: instruction sets ------------------------------------------------------------------------------------------

/// Instruction sets. Registers are those of the set; clock and FMA rate depend on the machine.
inline constexpr device scalar{.name = "scalar",
                               .instructions = isa::scalar,
                               .units = 0,
                               .vector_bytes = 8,
                               .vector_registers = 16,
                               .l1_bytes = detail::default_l1,
                               .l2_bytes = detail::default_l2,
                               .source = "one lane of plain C++"};
inline constexpr device sse2{.name = "sse2",
                             .instructions = isa::sse2,
                             .units = 0,
                             .vector_bytes = 16,
                             .vector_registers = 16,
                             .l1_bytes = detail::default_l1,
                             .l2_bytes = detail::default_l2,
                             .source = "instruction set"};
inline constexpr device avx2{.name = "avx2",
                             .instructions = isa::avx2,
                             .units = 0,
                             .vector_bytes = 32,
                             .vector_registers = 16,
                             .l1_bytes = detail::default_l1,
                             .l2_bytes = detail::default_l2,
                             .source = "instruction set, with FMA3"};
inline constexpr device avx512{.name = "avx512",
                               .instructions = isa::avx512,
                               .units = 0,
                               .vector_bytes = 64,
                               .vector_registers = 32,
                               .l1_bytes = detail::default_l1,
                               .l2_bytes = detail::default_l2,
                               .source = "instruction set: F, VL, BW and DQ"};
inline constexpr device neon{.name = "neon",
                             .instructions = isa::neon64,
                             .units = 0,
                             .vector_bytes = 16,
                             .vector_registers = 32,
                             .l1_bytes = detail::default_l1,
                             .l2_bytes = detail::default_l2,
                             .source = "instruction set of AArch64"};
inline constexpr device emulated128{.name = "emulated128",
                                    .instructions = isa::emulated,
                                    .units = 0,
                                    .vector_bytes = 16,
                                    .vector_registers = 16,
                                    .l1_bytes = detail::default_l1,
                                    .l2_bytes = detail::default_l2,
                                    .source = "xsimd::emulated"};
inline constexpr device emulated256{.name = "emulated256",
                                    .instructions = isa::emulated,
                                    .units = 0,
                                    .vector_bytes = 32,
                                    .vector_registers = 16,
                                    .l1_bytes = detail::default_l1,
                                    .l2_bytes = detail::default_l2,
                                    .source = "xsimd::emulated"};
inline constexpr device emulated512{.name = "emulated512",
                                    .instructions = isa::emulated,
                                    .units = 0,
                                    .vector_bytes = 64,
                                    .vector_registers = 16,
                                    .l1_bytes = detail::default_l1,
                                    .l2_bytes = detail::default_l2,
                                    .source = "xsimd::emulated"};

// --- SIMD: machines --------------------------------------------------------------------------------------------------

/// Machines with AVX-512, measured by this project [ZEN].
inline constexpr device zen4{.name = "zen4",
                             .instructions = isa::avx512,
                             .units = 0,
                             .vector_bytes = 64,
                             .vector_registers = 32,
                             .fma_per_cycle = 16,  // one 512-bit FMA per cycle; 118 GFLOP/s, with AVX2 too [ZEN]
                             .clock_hz = 3.66e9,
                             .l1_bytes = 32 * detail::KiB,
                             .l2_bytes = 1 * detail::MiB,
                             .l3_bytes = 32 * detail::MiB,
                             .memory_bytes_per_second = 31e9,
                             .source = "[ZEN]"};
inline constexpr device zen5{
    .name = "zen5",
    .instructions = isa::avx512,
    .units = 0,
    .vector_bytes = 64,
    .vector_registers = 32,
    .fma_per_cycle = 32,  // two 512-bit FMAs per cycle; 230 GFLOP/s, half of it with AVX2 [ZEN]
    .clock_hz = 3.58e9,
    .l1_bytes = 48 * detail::KiB,
    .l2_bytes = 1 * detail::MiB,
    .l3_bytes = 32 * detail::MiB,
    .memory_bytes_per_second = 38e9,
    .source = "[ZEN]"};
/// One socket of the S822LC "Minsky" nodes that trained the 3D GAN at CERN openlab. tern has no vectors for it.
inline constexpr device power8{.name = "power8",
                               .instructions = isa::scalar,
                               .units = 8,
                               .threads_per_unit = 8,
                               .vector_bytes = 16,
                               .fma_per_cycle = 4,  // 8 float32 operations per cycle [IBM]
                               .clock_hz = 3e9,     // "3 to 3.5 GHz class" [IBM]
                               .l1_bytes = 64 * detail::KiB,
                               .l2_bytes = 512 * detail::KiB,
                               .l3_bytes = 8 * 8 * detail::MiB,  // 8 MiB per core [IBM]
                               .memory_bytes = 128 * detail::GB,
                               .memory_bytes_per_second = 230e9,
                               .source = "[IBM]"};

// --- MIMD ------------------------------------------------------------------------------------------------------------

/// Tiles, clock, SRAM, peaks: [CIT]. Multiply-adds: convolution units x elements, 4 x 2 in float32 and 8 x 4 in half
/// precision; grains: elements per cycle x pipeline depth 4 in, 8 units out; exchange: 4 bytes [AMP]. Sync and set-up
/// [CTC]. Workers, loads, power [LM][HANLON]. Program: 8.4 to 9.8 KB per tile for the three passes of a layer, fitted
/// by this project to the published totals in graphcore/poplibs @ 8dcde1ec, tests/benchmark_results.csv.
inline constexpr device gc2{.name = "gc2",
                            .execution = model::mimd,
                            .units = 1216,
                            .threads_per_unit = 6,
                            .vector_bytes = 8,
                            .vector_registers = 0,
                            .fma_per_cycle = 8,
                            .half_fma_per_cycle = 32,
                            .clock_hz = 1.6e9,
                            .local_bytes = 256 * detail::KiB,
                            .program_bytes = 9800,
                            .exchange_bytes_per_cycle = 4,
                            .exchange_setup_cycles = 100,
                            .sync_cycles = 90,
                            .input_grain = 8,
                            .output_grain = 8,
                            .watts = 150,
                            .source = "[CIT][AMP][CTC][LM][HANLON]"};
/// Tiles, workers, SRAM, streaming memory (448 GB for 4 chips), peaks [MK2]; clock and multiply-adds derived from the
/// peaks: 250e12 / (1472 x 64 x 2), 62.5e12 / (1472 x 1.325e9 x 2). Power [PEARC]. The rest as gc2.
inline constexpr device gc200{.name = "gc200",
                              .execution = model::mimd,
                              .units = 1472,
                              .threads_per_unit = 6,
                              .vector_bytes = 8,
                              .vector_registers = 0,
                              .fma_per_cycle = 16,
                              .half_fma_per_cycle = 64,
                              .clock_hz = 1.325e9,
                              .local_bytes = 624 * detail::KiB,
                              .program_bytes = 9800,
                              .memory_bytes = 112 * detail::GB,
                              .exchange_bytes_per_cycle = 4,
                              .exchange_setup_cycles = 100,
                              .sync_cycles = 90,
                              .input_grain = 8,
                              .output_grain = 8,
                              .watts = 300,
                              .source = "[MK2][AMP][CTC][PEARC]"};
/// Tiles, memory (256 GB for 4 chips), 350 TFLOP/s in half precision [ALCF][BOW]; clock from Poplar's profiler. The
/// rest as gc200: the peaks scale with the clocks.
inline constexpr device bow{.name = "bow",
                            .execution = model::mimd,
                            .units = 1472,
                            .threads_per_unit = 6,
                            .vector_bytes = 8,
                            .vector_registers = 0,
                            .fma_per_cycle = 16,
                            .half_fma_per_cycle = 64,
                            .clock_hz = 1.85e9,
                            .local_bytes = 624 * detail::KiB,
                            .program_bytes = 9800,
                            .memory_bytes = 64 * detail::GB,
                            .exchange_bytes_per_cycle = 4,
                            .exchange_setup_cycles = 100,
                            .sync_cycles = 90,
                            .input_grain = 8,
                            .output_grain = 8,
                            .source = "[ALCF][BOW][AMP][CTC]"};

// --- SIMT ------------------------------------------------------------------------------------------------------------
// One load is a warp's: 32 lanes of 4 bytes. Resident threads, registers of a thread and shared memory of a block:
// [CCCL].

/// Multiprocessors, cores, clock (SXM2), L2, peaks, power [V100]; L1, memory [JIA], which prints the vendor's GB as
/// GiB.
inline constexpr device p100{.name = "p100",
                             .execution = model::simt,
                             .units = 56,
                             .threads_per_unit = 2048,
                             .vector_bytes = 128,
                             .vector_registers = 255,
                             .fma_per_cycle = 64,
                             .half_fma_per_cycle = 128,  // derived from 21 TFLOP/s; no matrix unit
                             .clock_hz = 1.48e9,
                             .l1_bytes = 24 * detail::KiB,
                             .l2_bytes = 4 * detail::MiB,
                             .local_bytes = 48 * detail::KiB,
                             .memory_bytes = 16 * detail::GB,
                             .memory_bytes_per_second = 732e9,
                             .watts = 300,
                             .source = "[V100][JIA][CCCL]"};
/// The SXM2 module with 16 GB [V100]; tensor cores: 8 x 64 multiply-adds [HANLON].
inline constexpr device v100{.name = "v100",
                             .execution = model::simt,
                             .units = 80,
                             .threads_per_unit = 2048,
                             .vector_bytes = 128,
                             .vector_registers = 255,
                             .fma_per_cycle = 64,
                             .half_fma_per_cycle = 512,
                             .clock_hz = 1.53e9,
                             .l1_bytes = 128 * detail::KiB,
                             .l2_bytes = 6 * detail::MiB,
                             .local_bytes = 96 * detail::KiB,
                             .memory_bytes = 16 * detail::GB,
                             .memory_bytes_per_second = 900e9,
                             .watts = 300,
                             .source = "[V100][HANLON][CCCL]"};
/// [REQ]; tensor multiply-adds derived from 65.13 TFLOP/s.
inline constexpr device t4{.name = "t4",
                           .execution = model::simt,
                           .units = 40,
                           .threads_per_unit = 1024,
                           .vector_bytes = 128,
                           .vector_registers = 255,
                           .fma_per_cycle = 64,
                           .half_fma_per_cycle = 512,
                           .clock_hz = 1.59e9,
                           .l1_bytes = 64 * detail::KiB,
                           .l2_bytes = 4 * detail::MiB,
                           .local_bytes = 64 * detail::KiB,
                           .memory_bytes = 16 * detail::GB,
                           .memory_bytes_per_second = 320e9,
                           .watts = 70,
                           .source = "[REQ][CCCL]"};
/// [REQ]; tensor multiply-adds derived from 130.5 TFLOP/s [HANLON].
inline constexpr device rtx6000{.name = "rtx6000",
                                .execution = model::simt,
                                .units = 72,
                                .threads_per_unit = 1024,
                                .vector_bytes = 128,
                                .vector_registers = 255,
                                .fma_per_cycle = 64,
                                .half_fma_per_cycle = 512,
                                .clock_hz = 1.77e9,
                                .l1_bytes = 64 * detail::KiB,
                                .l2_bytes = 6 * detail::MiB,
                                .local_bytes = 64 * detail::KiB,
                                .memory_bytes = 24 * detail::GB,
                                .memory_bytes_per_second = 672e9,
                                .watts = 260,
                                .source = "[REQ][HANLON][CCCL]"};
/// The SXM4 module with 40 GB. Peaks, memory, power [GKL]; multiprocessors, cores, clock, L1 [REQ]; L2 [MODEL]. Tensor
/// multiply-adds derived from 312 TFLOP/s.
inline constexpr device a100{.name = "a100",
                             .execution = model::simt,
                             .units = 108,
                             .threads_per_unit = 2048,
                             .vector_bytes = 128,
                             .vector_registers = 255,
                             .fma_per_cycle = 64,
                             .half_fma_per_cycle = 1024,
                             .clock_hz = 1.41e9,
                             .l1_bytes = 192 * detail::KiB,
                             .l2_bytes = 40 * detail::MiB,
                             .local_bytes = 163 * detail::KiB,
                             .memory_bytes = 40 * detail::GB,
                             .memory_bytes_per_second = 1555e9,
                             .watts = 400,
                             .source = "[GKL][REQ][MODEL][CCCL]"};
/// The SXM5 module [GKL]; L2 [MODEL]. Tensor multiply-adds derived from 989.4 TFLOP/s (dense) at 1.83 GHz.
inline constexpr device h100{.name = "h100",
                             .execution = model::simt,
                             .units = 132,
                             .threads_per_unit = 2048,
                             .vector_bytes = 128,
                             .vector_registers = 255,
                             .fma_per_cycle = 128,
                             .half_fma_per_cycle = 2048,
                             .clock_hz = 1.98e9,
                             .half_clock_hz = 1.83e9,
                             .l2_bytes = 50 * detail::MiB,
                             .local_bytes = 227 * detail::KiB,
                             .memory_bytes = 80 * detail::GB,
                             .memory_bytes_per_second = 3350e9,
                             .watts = 700,
                             .source = "[GKL][MODEL][CCCL]"};
/// The die of the H100 with other memory [H2].
inline constexpr device h200{.name = "h200",
                             .execution = model::simt,
                             .units = 132,
                             .threads_per_unit = 2048,
                             .vector_bytes = 128,
                             .vector_registers = 255,
                             .fma_per_cycle = 128,
                             .half_fma_per_cycle = 2048,
                             .clock_hz = 1.98e9,
                             .half_clock_hz = 1.83e9,
                             .l2_bytes = 50 * detail::MiB,
                             .local_bytes = 227 * detail::KiB,
                             .memory_bytes = 141 * detail::GB,
                             .memory_bytes_per_second = 4800e9,
                             .watts = 700,
                             .source = "[H2][GKL][MODEL][CCCL]"};

// --- The target of this translation unit ----------------------------------------------------------------------------

inline namespace TERN_ISA {

/// The instruction set of this translation unit: a different device for a different -march, hence the namespace.
/// Without xsimd, or with TERN_SCALAR, it has one lane; on x86-64 below AVX2 with FMA it is sse2, which exact numerics
/// refuse.
#if defined(TERN_HAS_AVX512)
inline constexpr device native = avx512;
#elif defined(TERN_HAS_AVX2)
inline constexpr device native = avx2;
#elif defined(TERN_HAS_NEON64)
inline constexpr device native = neon;
#elif defined(TERN_HAS_VECTORS) && defined(__SSE2__)
inline constexpr device native = sse2;
#else
inline constexpr device native = scalar;
#endif

/// The cores of this machine as tiles: one tile per core, its arena small enough to stay in the core's L2. Barrier and
/// exchange rate: a spinning barrier takes 0.05 us, a copy through L3 moves 47 GB/s per core, at 3.66 GHz [ZEN];
/// rounded to the slow side.
inline constexpr device native_tiles{.name = "native_tiles",
                                     .execution = model::mimd,
                                     .instructions = native.instructions,
                                     .units = 0,
                                     .vector_bytes = native.vector_bytes,
                                     .vector_registers = native.vector_registers,
                                     .l1_bytes = native.l1_bytes,
                                     .l2_bytes = native.l2_bytes,
                                     .local_bytes = native.l2_bytes,
                                     .exchange_bytes_per_cycle = 12,
                                     .sync_cycles = 200,
                                     .shares_host_memory = true,
                                     .source = "[ZEN]"};

}  // namespace TERN_ISA

}  // namespace tern::devices
