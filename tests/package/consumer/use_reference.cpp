// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <tern/reference.hpp>
#include <tern/version.hpp>

#if defined(EXPECTED_VERSION)
static_assert(TERN_VERSION == EXPECTED_VERSION);
#endif

int main() {
  const float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};
  float c[4];
  const tern::kernel<tern::matmul<>, tern::reference> k;
  k(tern::view(tern::unchecked, a, tern::extents(2, 2)), tern::view(tern::unchecked, b, tern::extents(2, 2)),
    tern::view(tern::unchecked, c, tern::extents(2, 2)));
  std::printf("tern %d: %g %g %g %g\n", TERN_VERSION, c[0], c[1], c[2], c[3]);
  return !(c[0] == 19 && c[1] == 22 && c[2] == 43 && c[3] == 50);
}
