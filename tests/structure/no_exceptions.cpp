// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Built with -fno-exceptions -fno-rtti: kernels compute, and a broken contract prints its sentence and aborts.
//
//     no_exceptions          compares simd with the reference
//     no_exceptions violate  calls a kernel with shapes that disagree
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tern/simd.hpp"

#if defined(__cpp_exceptions) || defined(__cpp_rtti)
#error "to be compiled with -fno-exceptions -fno-rtti"
#endif

int main(int argc, char**) {
  using tern::extents, tern::view;
  constexpr tern::index_t m = 9, n = 21, k = 600;
  static float a[m * k], b[k * n], c[m * n], expected[m * n];
  for (tern::index_t i = 0; i < m * k; ++i) a[i] = static_cast<float>(i % 13 - 6) / 7;
  for (tern::index_t i = 0; i < k * n; ++i) b[i] = static_cast<float>(i % 17 - 8) / 11;
  const tern::kernel<tern::matmul<>, tern::simd<>> fast;
  const tern::kernel<tern::matmul<>, tern::reference> correct;

  if (argc > 1) {
    std::signal(SIGABRT, [](int) { std::_Exit(EXIT_SUCCESS); });
    fast(view(a, extents(m, k)), view(b, extents(n, k)), view(c, extents(m, n)));
    std::puts("the call returned");
    return EXIT_FAILURE;
  }
  const auto w = fast.pack(view(b, extents(k, n)));
  fast(view(a, extents(m, k)), w, view(c, extents(m, n)));
  correct(view(a, extents(m, k)), view(b, extents(k, n)), view(expected, extents(m, n)));
  const bool equal = std::memcmp(c, expected, sizeof c) == 0 && c[0] != 0;
  std::puts(equal ? "equal" : "different");
  return equal ? EXIT_SUCCESS : EXIT_FAILURE;
}
