// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <tern/simd.hpp>

#include "kernels.hpp"

namespace {
void gradient(const float* dy, const float* b, float* da, tern::index_t n) {
  const tern::extents shape(n, n);
  const tern::kernel<tern::matmul<>, tern::simd<>> k;
  k.backward_data(tern::view(tern::unchecked, dy, shape), tern::view(tern::unchecked, b, shape),
                  tern::view(tern::unchecked, da, shape));
}
}  // namespace

gradients make_gradients(tern::isa_tag::current) { return {gradient}; }
