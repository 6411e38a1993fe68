// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matmul of run-time sizes.
#include <tern/simd.hpp>

void multiply(const float* a, const float* b, float* c, tern::index_t m, tern::index_t n, tern::index_t k) {
  using tern::dims;
  const tern::kernel<tern::matmul<>, tern::simd<>> product;
  product(tern::view<const float, dims<2>>(tern::unchecked, a, dims<2>(m, k)),
          tern::view<const float, dims<2>>(tern::unchecked, b, dims<2>(k, n)),
          tern::view<float, dims<2>>(tern::unchecked, c, dims<2>(m, n)));
}
