// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A softmax of the rows of a matrix.
#include <tern/simd.hpp>

void rows(const float* x, float* y, tern::index_t m, tern::index_t n) {
  using tern::dims;
  const tern::kernel<tern::softmax<tern::softmax_config{.axis = 1}>, tern::simd<>> k;
  k(tern::view<const float, dims<2>>(tern::unchecked, x, dims<2>(m, n)),
    tern::view<float, dims<2>>(tern::unchecked, y, dims<2>(m, n)));
}
