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

inline constexpr device h200{.name = "h200", .execution = model::simt, .units = 132, .threads_per_unit = 2048,
                             .vector_bytes = 16, .fma_per_cycle = 128, .clock_hz = 1.98e9, .l2_bytes = 50 * 1024 * 1024,
                             .local_bytes = 227 * 1024, .memory_bytes = 139LL * 1024 * 1024 * 1024,
                             .memory_bytes_per_second = 4.8e12};

inline namespace TERN_ISA {
#if defined(TERN_HAS_AVX512)
inline constexpr device native = avx512;
#elif defined(TERN_HAS_AVX2)
inline constexpr device native = avx2;
#else
inline constexpr device native = scalar;
#endif
}

}  // namespace tern::devices
