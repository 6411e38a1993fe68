// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "tern/isa.hpp"

namespace tern::test {

/// The functions of each compilation of kernels.cpp.
struct isa_kernels {
  const char* compiled_for;               ///< the inline namespace of that compilation
  std::uint64_t (*results)(int seed);     ///< a checksum over the results of kernels
  int (*print_plan)(char* to, int room);  ///< writes the text of a plan and returns its length
};

isa_kernels make_kernels(isa_tag::avx512);
isa_kernels make_kernels(isa_tag::avx2);
isa_kernels make_kernels(isa_tag::neon64);
isa_kernels make_kernels(isa_tag::scalar);

}  // namespace tern::test
