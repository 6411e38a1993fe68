// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cases under simd on vector units that xsimd emulates: every width on any machine. Built where the flags define
// XSIMD_WITH_EMULATED=1 (xsimd 13 or newer).
#include "tern/simd.hpp"

#include "tests/verify/all_matmuls.hpp"

namespace tern::test {
namespace {

constexpr device emulated(int bytes) {
  return {.name = "emulated", .instructions = isa::emulated, .vector_bytes = bytes, .vector_registers = 16};
}
constexpr device emulated_128 = emulated(16), emulated_256 = emulated(32), emulated_512 = emulated(64);

template <const device& D>
void run_width(recorder& to, const char* way) {
  const auto on_caller = [](index_t, index_t, index_t, index_t) { return serial{}; };
  all_matmuls<simd<D>, float, epilogues::some>(to, "simd", way, form::rows, on_caller, true);
  all_matmuls<simd<D>, double, epilogues::some>(to, "simd", way, form::rows, on_caller, true);
}

void run(recorder& to, executor_list) {
  run_width<emulated_128>(to, "128 emulated bits");
  run_width<emulated_256>(to, "256 emulated bits");
  run_width<emulated_512>(to, "512 emulated bits");
}

}  // namespace

part part_emulated() { return run; }

}  // namespace tern::test
