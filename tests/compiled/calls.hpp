// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace tern::test {

/// Takes the checksum of the results of a call.
using record = void (*)(const char* name, std::uint64_t sum);

// calls.cpp: the same calls from the headers and through the compiled part, for each instruction set.
void calls_avx512(record);
void calls_avx512_compiled(record);
void reductions_avx512(record);
void maps_avx512(record);
void reductions_avx512_compiled(record);
void maps_avx512_compiled(record);
void calls_avx2(record);
void calls_avx2_compiled(record);
void reductions_avx2(record);
void maps_avx2(record);
void reductions_avx2_compiled(record);
void maps_avx2_compiled(record);
void calls_neon64(record);
void calls_neon64_compiled(record);
void reductions_neon64(record);
void maps_neon64(record);
void reductions_neon64_compiled(record);
void maps_neon64_compiled(record);

}  // namespace tern::test
