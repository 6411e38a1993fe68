// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layer norm of the rows of a matrix.
#include <tern/simd.hpp>

void rows(const float* x, const float* scale, const float* shift, float* y, tern::index_t m, tern::index_t n) {
  using tern::dims;
  const tern::kernel<tern::layer_norm<>, tern::simd<>> k;
  k(tern::view<const float, dims<2>>(tern::unchecked, x, dims<2>(m, n)),
    tern::view<const float, dims<1>>(tern::unchecked, scale, dims<1>(n)),
    tern::view<const float, dims<1>>(tern::unchecked, shift, dims<1>(n)),
    tern::view<float, dims<2>>(tern::unchecked, y, dims<2>(m, n)));
}
