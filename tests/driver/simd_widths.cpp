// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of a family under simd give the bits of the reference also on other vector units than the best of the machine.
// These are AVX2 beside AVX-512, or units of every width that xsimd emulates (XSIMD_WITH_EMULATED, xsimd 13 or newer).
//
// TERN_FAMILY  the family, of the header that CMake includes before
// TERN_TYPES   element types
#include "tern/simd.hpp"

#include "tests/driver/parity.hpp"
#include "tests/support/thinning.hpp"

namespace tern::test {
namespace {

template <const device& D, class T>
void calls_on() {
  INFO(D.name << ", vectors of " << D.vector_bytes << " bytes");
  const auto one = [](const auto&) { return serial{}; };
  parity<simd<D>, decltype(one)> run(one, TERN_FAMILY::most);
  for (int i = 0; i < thinned(TERN_FAMILY::cases / 2); ++i) TERN_FAMILY::calls<T>(run);
}

#if defined(XSIMD_WITH_EMULATED)
constexpr device emulated(int bytes) {
  return {.name = "emulated", .instructions = isa::emulated, .vector_bytes = bytes, .vector_registers = 16};
}
constexpr device emulated_128 = emulated(16), emulated_256 = emulated(32), emulated_512 = emulated(64);

TEMPLATE_TEST_CASE("calls under simd on emulated vectors give the bits of the reference", "[simd]", TERN_TYPES) {
  calls_on<emulated_128, TestType>(), calls_on<emulated_256, TestType>(), calls_on<emulated_512, TestType>();
}
#else
TEMPLATE_TEST_CASE("calls under simd on AVX2 give the bits of the reference", "[simd]", TERN_TYPES) {
  calls_on<devices::avx2, TestType>();
}
#endif

}  // namespace
}  // namespace tern::test
