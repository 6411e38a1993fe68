// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of kernels.cpp, once for each instruction set.
#pragma once

#include "tern/core/config.hpp"
#include "tern/isa.hpp"

namespace example {

struct kernels {
  /// A dense layer, c = relu(a b + bias), with a m x k, b k x n and c m x n, row by row.
  void (*dense)(const float* a, const float* b, const float* bias, float* c, tern::index_t m, tern::index_t n,
                tern::index_t k);
};

kernels make_kernels(tern::isa_tag::avx512);
kernels make_kernels(tern::isa_tag::avx2);
kernels make_kernels(tern::isa_tag::neon64);
kernels make_kernels(tern::isa_tag::scalar);

}  // namespace example
