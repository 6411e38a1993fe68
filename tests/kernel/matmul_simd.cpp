// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// matmul under simd, on every device that this file is compiled for.
#include "tern/simd.hpp"

#include "tests/kernel/matmul_parity.hpp"

namespace tern::test {

TEMPLATE_TEST_CASE("matmul under simd gives the bits of the reference", "[matmul][simd]", float, double) {
  matmul_parity<simd<>, TestType>([](index_t, index_t, index_t) { return serial{}; });
}

#if defined(TERN_HAS_AVX512)
TEMPLATE_TEST_CASE("matmul on AVX2 registers gives the bits of the reference", "[matmul][simd]", float, double) {
  matmul_parity<simd<devices::avx2>, TestType>([](index_t, index_t, index_t) { return serial{}; });
}
#endif

}  // namespace tern::test
