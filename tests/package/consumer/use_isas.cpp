// SPDX-FileCopyrightText: 2026 The tern authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>

#include "kernels.hpp"

#if !defined(USE_ISAS)
#define USE_ISAS  // the default ones
#endif

int main() {
  const float a[] = {1, 2, 3, 4}, b[] = {5, 6, 7, 8};
  float c[4];
  const kernels k = tern::dispatch<USE_ISAS>([](auto isa) {
    std::printf("kernels for %s\n", isa.name);
    return make_kernels(isa);
  });
  k.multiply(a, b, c, 2);
  if (!(c[0] == 19 && c[1] == 22 && c[2] == 43 && c[3] == 50)) return 1;

  tern::dispatch<USE_ISAS>([](auto isa) { return make_gradients(isa); }).gradient(a, b, c, 2);
  return !(c[0] == 17 && c[1] == 23 && c[2] == 39 && c[3] == 53);
}
