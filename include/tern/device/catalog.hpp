// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tern/core/config.hpp"
#include "tern/device/device.hpp"

namespace tern::devices {

inline constexpr device scalar{.name = "scalar", .instructions = isa::scalar, .vector_bytes = 8, .vector_registers = 16};
inline constexpr device sse2{.name = "sse2", .instructions = isa::sse2, .vector_bytes = 16, .vector_registers = 16};
inline constexpr device avx2{.name = "avx2", .instructions = isa::avx2, .vector_bytes = 32, .vector_registers = 16};
inline constexpr device avx512{.name = "avx512", .instructions = isa::avx512, .vector_bytes = 64, .vector_registers = 32};

// Graphcore IPUs. float32 multiply-adds: 4 (GC2) or 8 units x 2 elements; PopLibs at 7eac0f26 and its 2016 history.
inline constexpr device gc2{.name = "gc2", .execution = model::mimd, .units = 1216, .threads_per_unit = 6,
                            .vector_bytes = 8, .fma_per_cycle = 8, .clock_hz = 1.6e9, .local_bytes = 256 * 1024,
                            .exchange_bytes_per_cycle = 4, .sync_cycles = 90, .exchange_setup_cycles = 100,
                            .input_grain = 8, .output_grain = 8};
inline constexpr device gc200{.name = "gc200", .execution = model::mimd, .units = 1472, .threads_per_unit = 6,
                              .vector_bytes = 8, .fma_per_cycle = 16, .clock_hz = 1.325e9, .local_bytes = 624 * 1024,
                              .exchange_bytes_per_cycle = 4, .sync_cycles = 90, .exchange_setup_cycles = 100,
                              .input_grain = 8, .output_grain = 8};

inline namespace TERN_ISA {
#if defined(TERN_HAS_AVX512)
inline constexpr device native = avx512;
#elif defined(TERN_HAS_AVX2)
inline constexpr device native = avx2;
#else
inline constexpr device native = scalar;
#endif
/// The cores of the host as tiles: each works in its share of the L2 cache on memory that all of them see.
inline constexpr device native_tiles{.name = "native_tiles", .execution = model::mimd,
                                     .instructions = native.instructions, .vector_bytes = native.vector_bytes,
                                     .vector_registers = native.vector_registers,
                                     .fma_per_cycle = 2 * native.vector_bytes / 4, .local_bytes = 512 * 1024,
                                     .sync_cycles = 500, .shares_host_memory = true};
}

}  // namespace tern::devices
