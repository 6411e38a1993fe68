// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <tern/simd.hpp>
#include <vector>

int main() {
  const tern::index_t n = 40;
  std::vector<float> a(n * n), b(n * n), c(n * n), wanted(n * n);
  for (tern::index_t i = 0; i < n * n; ++i) a[i] = static_cast<float>(i % 7) / 3, b[i] = static_cast<float>(i % 11) / 7;
  const tern::extents shape(n, n);
  const tern::kernel<tern::matmul<>, tern::simd<>> k;
  const tern::kernel<tern::matmul<>, tern::reference> correct;
  k(tern::view(a, shape), tern::view(b, shape), tern::view(c, shape));
  correct(tern::view(a, shape), tern::view(b, shape), tern::view(wanted, shape));
  std::printf("simd on %s: %g\n", tern::devices::native.name, c[n]);
  return c != wanted || c[n] == 0;
}
