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
