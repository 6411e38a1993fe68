// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul under simd on vector units that xsimd emulates: every width on any machine. Built where the flags define
// XSIMD_WITH_EMULATED=1 (xsimd 13 or newer).
#include "tern/simd.hpp"

#include "tests/kernel/matmul_parity.hpp"

namespace tern::test {

constexpr device emulated(int bytes) {
  return {.name = "emulated", .instructions = isa::emulated, .vector_bytes = bytes, .vector_registers = 16};
}
inline constexpr device emulated_128 = emulated(16), emulated_256 = emulated(32), emulated_512 = emulated(64);

TEMPLATE_TEST_CASE("matmul on emulated registers gives the bits of the reference", "[matmul][simd]", float, double) {
  const auto run_serial = [](index_t, index_t, index_t) { return serial{}; };
  matmul_parity<simd<emulated_128>, TestType>(run_serial);
  matmul_parity<simd<emulated_256>, TestType>(run_serial);
  matmul_parity<simd<emulated_512>, TestType>(run_serial);
}

}  // namespace tern::test
