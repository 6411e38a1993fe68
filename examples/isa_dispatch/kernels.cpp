// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled once for each instruction set: see CMakeLists.txt. Only make_kernels has external linkage.
#include "kernels.hpp"

#include "tern/simd.hpp"

namespace example {
namespace {

constexpr tern::matmul_config config{.bias = true, .act = tern::activation::relu};
struct layer : tern::matmul<config, float> {};

void dense(const float* a, const float* b, const float* bias, float* c, tern::index_t m, tern::index_t n,
           tern::index_t k) {
  using tern::extents, tern::view;
  const tern::kernel<layer, tern::simd<>> multiply;
  multiply(view(a, m * k, extents(m, k)), view(b, k * n, extents(k, n)), view(bias, n, extents(n)),
           view(c, m * n, extents(m, n)));
}

}  // namespace

kernels make_kernels(tern::isa_tag::current) { return {dense}; }

}  // namespace example
