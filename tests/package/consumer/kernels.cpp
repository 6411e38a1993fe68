// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tern/simd.hpp>

#include "kernels.hpp"

namespace {
void multiply(const float* a, const float* b, float* c, tern::index_t n) {
  const tern::extents shape(n, n);
  const tern::kernel<tern::matmul<>, tern::simd<>> k;
  k(tern::view(tern::unchecked, a, shape), tern::view(tern::unchecked, b, shape),
    tern::view(tern::unchecked, c, shape));
}
}  // namespace

kernels make_kernels(tern::isa_tag::current) { return {multiply}; }
