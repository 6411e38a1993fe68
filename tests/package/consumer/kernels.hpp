// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <tern/isa.hpp>

struct kernels {
  void (*multiply)(const float* a, const float* b, float* c, tern::index_t n);
};
kernels make_kernels(tern::isa_tag::avx512);
kernels make_kernels(tern::isa_tag::avx2);
kernels make_kernels(tern::isa_tag::neon64);
kernels make_kernels(tern::isa_tag::scalar);

struct gradients {
  void (*gradient)(const float* dy, const float* b, float* da, tern::index_t n);
};
gradients make_gradients(tern::isa_tag::avx512);
gradients make_gradients(tern::isa_tag::avx2);
gradients make_gradients(tern::isa_tag::neon64);
gradients make_gradients(tern::isa_tag::scalar);
